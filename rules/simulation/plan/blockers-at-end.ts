/** Where the play came to no end: hosts that cannot be drained, and the capacity that is missing. */
import type { Host } from '../../planning/fleet/fleet';
import { isDone } from '../../planning/fleet/host-work';
import type { Lack } from '../../planning/limits/lack';
import { having } from '../../planning/limits/reasons';
import { FleetModel } from '../../planning/model/fleet-model';
import { lackOfRest } from '../../planning/rolling/cheapest-to-drain';
import { hostsToDo } from '../../planning/rolling/failed-controller';
import { scaleInNeed } from '../../planning/scale-in/scale-in-need';
import { leastNeed } from '../../questions/scale-in-words';
import { holdBack } from '../../steering/hold-back';
import { amountWords } from '../../words/amount-words';
import type { BlockerFacts } from './blocker-facts';
import { type Blocker, nameOfInstance } from './plan';

/** Hosts that are explained: that costs a look at all targets. */
const mostExplained = 50;

export const blockersAtEnd = (facts: BlockerFacts): readonly Blocker[] => {
  const { ending, fleetAtEnd, input } = facts;
  if (ending.kind === 'complete' || ending.kind === 'paused' || ending.kind === 'neverFits') return [];
  const model = new FleetModel(fleetAtEnd);
  const left = model.hostsOf(input.sessionId).filter((host) => !isDone(host.work));
  const stuck = left.slice(0, mostExplained).flatMap((host) => blockerOfHost(model, host));
  const atAll = [...noCapacity(facts), ...controllerLeftOut(facts, model, left)];
  const known = [...atAll, ...stuck];
  return ending.kind === 'failed' && known.length === 0 ? [asItFails(facts, ending.failure)] : known;
};

const stops = { severity: 'stops', when: 'later' } as const;

const noCapacity = ({ ending, fleetAtEnd, input }: BlockerFacts): readonly Blocker[] => {
  if (ending.kind !== 'scaleIn') return [];
  const fittingNowhere = ending.fittingNowhere.map(({ who }) => who);
  const need = scaleInNeed(holdBack(fleetAtEnd, fittingNowhere), input.sessionId);
  if (!need) return [];
  const { projectIds, missing, wanted, missingOnHosts } = need;
  const asked = projectIds.length > 0;
  const projects = `project${projectIds.length === 1 ? '' : 's'} ${projectIds.slice(0, 5).join(', ')}`;
  return [
    {
      ...{ kind: 'no_capacity', ...stops, subject: { kind: 'cloud', id: '', name: 'cloud' } },
      owner: 'operator',
      because: `no host can be drained: ${leastNeed(need)}`,
      help:
        `add or enable a compute host with that much free, or let ${asked ? projects : 'a project'} scale in` +
        (asked ? '; the session asks for that in state SCALE_IN' : ''),
      missing: { amounts: missing, wanted, onHosts: missingOnHosts },
    },
  ];
};

const controllerLeftOut = ({ input }: BlockerFacts, model: FleetModel, left: readonly Host[]): readonly Blocker[] => {
  const todo = new Set(hostsToDo(model, left).map(({ name }) => name));
  return left
    .filter(({ name, type }) => type === 'controller' && !todo.has(name))
    .map(({ name }) => ({
      ...{ kind: 'controller_left_out', ...stops, subject: hostSubject(name), owner: 'admin' },
      because: `host ${name} cannot be maintained while another controller is left disabled, and controllers go one at a time`,
      help: `repair the controller that is disabled, then resume or delete the session that left it so (this one is ${input.sessionId})`,
    }));
};

const blockerOfHost = (model: FleetModel, host: Host): readonly Blocker[] => {
  const lack = lackOfRest(model, host);
  if (!lack) return [];
  const { instance } = lack;
  const who = `instance ${nameOfInstance(instance)} of project ${instance.projectId}`;
  const { because, help, owner } = wordsFor(lack);
  return [
    {
      ...{ kind: 'host_cannot_be_drained', ...stops, subject: hostSubject(host.name), owner },
      ...(owner === 'project' && { projectId: instance.projectId }),
      because: `host ${host.name} cannot be drained: ${who} ${because}`,
      help: `${help}, or leave host ${host.name} out of the session`,
      ...(lack.kind === 'room' && {
        missing: { amounts: lack.missing, wanted: lack.wanted, onHosts: lack.hasNoTarget ? 0 : 1 },
      }),
    },
  ];
};

const wordsFor = (lack: Lack): Pick<Blocker, 'because' | 'help' | 'owner'> => {
  switch (lack.kind) {
    case 'room':
      return lack.hasNoTarget
        ? {
            owner: 'operator',
            because: `has no other enabled compute host${having(lack.wanted)}`,
            help: `add or enable a compute host${having(lack.wanted)}`,
          }
        : {
            owner: 'operator',
            because: `has no target: ${amountWords(lack.missing)} missing on the host${having(lack.wanted)} that comes closest`,
            help: `free ${amountWords(lack.missing)} on another host${having(lack.wanted)}, or add or enable a compute host there`,
          };
    case 'affinity':
      return {
        owner: 'project',
        because: `has no target: its group ${lack.limit.name} lets ${String(lack.limit.maxInstancesPerHost)} of its members share a host, and every host has as many`,
        help: 'let its project raise max_instances_per_host or scale the group in, add or enable a compute host',
      };
    case 'refused':
      return {
        owner: 'operator',
        because: `has no target that the cloud allows: ${lack.refusals.map(({ target, reason }) => `host ${target} refused it: ${reason}`).join('; ')}`,
        help: 'change what keeps it from there, or add or enable a compute host',
      };
  }
};

const asItFails = ({ input }: BlockerFacts, failure: string): Blocker => ({
  ...{ kind: 'host_cannot_be_drained', ...stops, owner: 'operator' },
  subject: { kind: 'session', id: input.sessionId, name: input.sessionId },
  because: failure,
  help: 'see to what the reason names, or leave the host out of the session',
});

const hostSubject = (name: string): Blocker['subject'] => ({ kind: 'host', id: name, name });
