/**
 * One session in each situation in which an upgrade may find it, on two hosts of its own. The recorder
 * (record-upgrade.ts) leaves them so; upgrade.test.ts brings them to their ends.
 */
import { once } from 'node:events';
import { type ActionPlugin, ActionPluginFailure } from '../../../plugins/actions/action-plugin';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost, uuidNumber } from '../../builders/a-fleet-file';
import { heldMoveSeconds } from '../rig/held-moves';
import { acknowledge, type Policy } from '../rig/manager';

export const situations = [
  'asked about its beginning',
  'asked about an instance',
  'moving',
  'in maintenance',
  'paused',
  'failed',
  'done',
] as const;

export type Situation = (typeof situations)[number];

const numberOf = (situation: Situation): number => situations.indexOf(situation) + 1;

/** An empty host, and the host whose instance moves there. */
export const hostsOf = (situation: Situation): readonly [string, string] => {
  const number = numberOf(situation);
  return [`host-${number}-a`, `host-${number}-b`];
};
export const instanceOf = (situation: Situation): string => uuidNumber(numberOf(situation));
export const projectOf = (situation: Situation): string => uuidNumber(900 + numberOf(situation));
const groupOf = (situation: Situation): string => uuidNumber(500 + numberOf(situation));

/** An instance of one situation fits no host of another. */
const sizeOf = (situation: Situation) => {
  const number = numberOf(situation);
  return { vcpus: number, memory_mb: (10 - number) * 1024 };
};

/** The most that a setting takes: whoever waits at the upgrade still waits, for a year. */
export const yearSeconds = 31_536_000;

export const fleet = aFleetFile({
  hosts: situations.flatMap((situation) =>
    hostsOf(situation).map((name) => aFleetHost({ name, ...sizeOf(situation), maintenance_s: 1 })),
  ),
  groups: situations.map((situation) =>
    aFleetGroup({
      group_id: groupOf(situation),
      project_id: projectOf(situation),
      anti_affinity_group: false,
      recovery_time: 0,
    }),
  ),
  instances: situations.map((situation) =>
    aConstrainedInstance({
      ...sizeOf(situation),
      instance_id: instanceOf(situation),
      instance_name: `vm-${numberOf(situation)}`,
      project_id: projectOf(situation),
      group_id: groupOf(situation),
      host: hostsOf(situation)[1],
      lead_time: yearSeconds,
      max_interruption_time: yearSeconds,
      move_s: situation === 'moving' ? heldMoveSeconds : 1,
    }),
  ),
});

/** The settings of both rigs. */
export const environment = {
  PARLEY_PROJECT_REPLY_SECONDS: String(yearSeconds),
  PARLEY_MOVE_SECONDS: String(yearSeconds),
  PARLEY_PLUGIN_SECONDS: '604800',
};

/** The project of a situation answers so before the upgrade. It leaves open what the upgrade is to find. */
export const policyBefore = (situation: Situation): Policy => {
  if (situation === 'asked about its beginning') return () => undefined;
  if (situation !== 'asked about an instance') return acknowledge;
  return (event, manager) => (event.state === 'MAINTENANCE' ? acknowledge(event, manager) : undefined);
};

/** Works on a host until the service goes away. */
const untilStopped: ActionPlugin = {
  name: 'until-upgraded',
  async run({ signal }) {
    if (!signal.aborted) await once(signal, 'abort');
    throw new ActionPluginFailure('the service went away');
  },
};
const fails: ActionPlugin = {
  name: 'fails-before-upgrade',
  run: () => Promise.reject(new ActionPluginFailure('not before the upgrade')),
};
export const pluginsBefore: readonly ActionPlugin[] = [untilStopped, fails];
export const pluginsAfter: readonly ActionPlugin[] = pluginsBefore.map(({ name }) => ({
  name,
  run: () => Promise.resolve({ state: 'done after the upgrade' }),
}));

/** The request of a situation's session. */
export const requestOf = (situation: Situation) => {
  const pluginBySituation: Partial<Record<Situation, string>> = {
    'in maintenance': untilStopped.name,
    failed: fails.name,
  };
  return {
    hosts: hostsOf(situation),
    workflow: situation === 'asked about an instance' || situation === 'moving' ? 'vnf' : 'default',
    actions: [{ plugin: pluginBySituation[situation] ?? 'dummy', type: 'host' }],
  };
};
