/** The questions about draining one host: which projects are asked, about which of their instances. */
import { findConstraintsOf, type StoredInstanceConstraint } from '../../prisma/constraints/constraints-for-decisions';
import type { Transaction } from '../../prisma/database';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { CloudActions, CloudInstance } from '../../rules/cloud/cloud-facts';
import { whyByProject } from '../../rules/cloud/departure';
import { isAsked } from '../../rules/decisions/fleet/is-asked';
import type { WantedQuestion } from '../../rules/questions/negotiation';
import { replyWindowOfHost } from '../../rules/questions/reply-window';
import { askedSince } from '../../snapshot/settled-answers';
import type { Services } from '../services';
import { ask, type AskingStep, type ServicesToAsk } from './ask';

export interface HostAsking {
  readonly services: ServicesToAsk & Pick<Services, 'cloud' | 'measures'>;
  readonly tx: Transaction;
  readonly host: SessionHostRecord;
  /** The cloud's present list of the instances on the host. */
  readonly instances: readonly CloudInstance[];
}

/** Undefined in a state in which nobody is asked about a host. */
export const askAboutHost = async (asking: HostAsking, session: SessionProgress): Promise<AskingStep | undefined> => {
  const { services, tx, host, instances } = asking;
  if (!asksAboutHosts(session)) return undefined;
  const ids = instances.map(({ instanceId }) => instanceId);
  const constraints = await findConstraintsOf(tx, ids);
  const wanted = wantedAbout(asking, constraints);
  return ask(services, tx, {
    session,
    hostname: host.hostname,
    since: askedSince(host, session),
    wanted: () => wanted,
  });
};

const asksAboutHosts = ({ state, stopping }: SessionProgress): boolean =>
  stopping === null && (state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE');

/** The actions from which a project may choose, for instances that are all movable or all not, with the reason. */
export const offerFor = (
  { offered }: Pick<CloudActions, 'offered'>,
  instances: readonly { readonly instanceId: string; readonly cannotMove: string | undefined }[],
): Pick<WantedQuestion, 'allowedActions' | 'cannotMove'> => {
  const reasons = instances.flatMap(({ instanceId, cannotMove }) =>
    cannotMove === undefined ? [] : [[instanceId, cannotMove] as const],
  );
  if (reasons.length === 0) return { allowedActions: offered };
  return { allowedActions: ['OWN_ACTION'], cannotMove: Object.fromEntries(reasons) };
};

/**
 * One question for each project, and before it one about those of its instances that the cloud cannot move. No question
 * about an instance with lead_time 0 (specification, Limits 4).
 */
const wantedAbout = (
  { instances, services }: HostAsking,
  constraints: ReadonlyMap<string, StoredInstanceConstraint>,
): WantedQuestion[] => {
  const { limits, cloud } = services;
  const told = new Map(instances.map((instance) => [instance.instanceId, instance.leadTimeSeconds]));
  const leadTimeOf = (instanceId: string) => ({
    leadTimeSeconds: constraints.get(instanceId)?.leadTime ?? told.get(instanceId),
  });
  const asked = instances.filter(({ instanceId }) => isAsked(leadTimeOf(instanceId)));
  return [...new Set(asked.map(({ projectId }) => projectId))].sort().flatMap((projectId) => {
    const own = asked
      .filter((one) => one.projectId === projectId)
      .map((one) => ({ instanceId: one.instanceId, cannotMove: whyByProject(one) }));
    const [staying, movable] = [true, false].map((stays) =>
      own.filter((one) => (one.cannotMove !== undefined) === stays),
    );
    return [staying, movable].flatMap((instances = []) => {
      if (instances.length === 0) return [];
      const instanceIds = instances.map(({ instanceId }) => instanceId);
      return [
        {
          projectId,
          instanceIds,
          windowSeconds: replyWindowOfHost(instanceIds.map(leadTimeOf), limits.projectReplySeconds),
          ...offerFor(cloud.actions, instances),
        },
      ];
    });
  });
};
