/**
 * Looks for what frees a host under work without Parley: an instance that somebody has deleted or moved while it waits
 * for an answer, for capacity or for another target. Nobody tells Parley, so the host's workflow looks often, at this
 * one host, and the session decides anew only when something has left it.
 */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { databaseNow } from '../../prisma/database';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import { changeInstance, deletedState, findInstancesSeenOn } from '../../prisma/hosts/session-instances';
import type { ClaimRecord } from '../../prisma/moves/claims';
import type { CloudInstance } from '../../rules/cloud/cloud-facts';
import { keyOf } from '../../rules/cloud/id';
import { longestWaitMs, whileWaitingMs } from '../../rules/decisions/look-again';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';

export interface Departures {
  /** True when an instance has left the host that the session believes there. */
  readonly hasSome: boolean;
  readonly lookAgainMs: number;
}

/** The instances on the host, as the cloud lists them, and what was recorded after that list was made. */
interface SeenOnHost {
  readonly instances: readonly CloudInstance[];
  /** The claims on the host whose action is not over. */
  readonly claims: readonly ClaimRecord[];
  /** True when the session may begin something now. */
  readonly mayBegin: boolean;
}

/** Notes what has left, so that the session hears of it once. Whoever moves is watched by its action. */
export const noteDepartures = async (
  services: Services,
  ref: HostRef,
  { instances, claims, mayBegin }: SeenOnHost,
): Promise<Departures> => {
  const { db, cloud } = services;
  const watched = new Set(claims.filter(({ startedAt }) => startedAt !== null).map((one) => keyOf(one.instanceId)));
  const present = new Set(instances.map(({ instanceId }) => keyOf(instanceId)));
  const isAnyWaiting = ![...present].every((key) => watched.has(key));
  const lookAgainMs = isAnyWaiting && mayBegin ? whileWaitingMs : longestWaitMs;
  const seen = await findInstancesSeenOn(db, ref);
  const missing = seen.filter((id) => !present.has(keyOf(id)) && !watched.has(keyOf(id)));
  const left = await Promise.all(missing.map((instanceId) => whereNow(cloud, ref, instanceId)));
  const changes = left.filter((one) => one !== undefined);
  if (changes.length > 0) {
    await inHost(services, ref, async (tx) => {
      const updatedAt = await databaseNow(tx);
      for (const { instanceId, ...change } of changes) {
        await changeInstance(tx, { ...ref, instanceId }, { ...change, updatedAt });
      }
    });
    services.decisionTurns.noteChangeOfCloud();
  }
  return { hasSome: changes.length > 0, lookAgainMs };
};

interface NotedDeparture {
  readonly instanceId: string;
  readonly state: string;
  /** Left out: it is gone. */
  readonly host?: string;
}

/** Undefined: it is on the host. The list may be some seconds old. */
const whereNow = async (
  cloud: CloudDriver,
  { hostname }: HostRef,
  instanceId: string,
): Promise<NotedDeparture | undefined> => {
  const now = await cloud.findInstance(instanceId);
  if (now === undefined) return { instanceId, state: deletedState };
  return now.host === hostname ? undefined : { instanceId, state: now.state, host: now.host };
};
