/** A move from host a to host b that was granted and may begin: its session, its host and its claim are on record. */
import { randomUUID } from 'node:crypto';
import type { CloudDriver } from '../../../../clouds/cloud-driver';
import { createSimulatedCloud } from '../../../../clouds/simulated/simulated-cloud';
import type { Database } from '../../../../prisma/database';
import { type Beginner, type ClaimRecord, findClaim } from '../../../../prisma/moves/claims';
import type { CloudHost, CloudInstance } from '../../../../rules/cloud/cloud-facts';
import { movesElsewhere } from '../../../../rules/cloud/departure';
import { eventually } from '../../../waiting/eventually';
import { recordSession } from '../../events/recorded-facts';

const size = { amounts: { VCPU: 1, MEMORY_MB: 1024 } };

export const anInstanceOn = (host: string): CloudInstance => {
  const [instanceId, projectId] = [randomUUID(), randomUUID()];
  const named = { instanceId, projectId, instanceName: 'vm', host, flavor: 'small', state: 'ACTIVE' };
  return { ...named, ...size, departure: movesElsewhere };
};

/** The time at which constraints are stored here, and under which the claim is granted. */
export const stored = new Date('2026-01-01T12:00:00Z');

export const storeConstraints = async (
  db: Database,
  { instanceId, projectId }: CloudInstance,
  given: { readonly groupId?: string; readonly updatedAt?: Date | null } = {},
): Promise<void> => {
  const limits = { maxInterruptionTime: 60, migrationType: 'MIGRATE', resourceMitigation: false, leadTime: 60 };
  const names = { instanceId, projectId, groupId: randomUUID(), instanceName: 'vm' };
  await db.instanceConstraint.create({ data: { ...names, ...limits, createdAt: stored, ...given } });
};

export interface GrantedMove {
  readonly claim: ClaimRecord;
  readonly beginner: Beginner;
}

export const grantMove = async (
  db: Database,
  { instanceId, instanceName, projectId }: CloudInstance = anInstanceOn('a'),
  { furtherLimitKeys = [], ...given }: Partial<ClaimRecord> = {},
): Promise<GrantedMove> => {
  const [sessionId, runId] = [await recordSession(db), randomUUID()];
  const host = { hostname: 'a', type: 'compute', isCompute: true };
  // Other claims' sessions work on it as well, as far as these tests go.
  await db.sessionHost.create({ data: { ...host, sessionId, phase: 'emptying', runId, owned: false } });
  const instance = { instanceId, instanceName, projectId, groupKey: `of ${instanceId}`, ...size };
  const further = { furtherLimitKeys: [...furtherLimitKeys] };
  const move = { source: 'a', target: 'b', action: 'LIVE_MIGRATE', phase: 'moving', recoveryTime: 0 };
  const { id } = await db.claim.create({ data: { ...instance, ...further, ...move, sessionId, ...given } });
  return { claim: (await findClaim(db, id))!, beginner: { claimId: id, sessionId, hostname: 'a', runId } };
};

export const hostStartSeconds = 600;
/** The settings that matter at the beginning of an action. */
export const startLimits = {
  hostStartSeconds,
  liveMoveSeconds: 800,
  ownActionSeconds: 600,
  moveSeconds: 1_800,
  nackRetries: 2,
  nackRetrySeconds: 10,
};

export const targetFor = (count: number): CloudHost => {
  const { VCPU, MEMORY_MB } = size.amounts;
  const room = { amounts: { VCPU: count * VCPU, MEMORY_MB: count * MEMORY_MB } };
  return { name: 'b', type: 'compute', isCompute: true, enabled: true, isUp: true, ...room };
};

/** A cloud with capacity for `count` on the target, and nothing on it. */
export const aCloudWith = (
  db: Database,
  { instance, count = 1 }: { readonly instance: CloudInstance; readonly count?: number },
  given: Partial<CloudDriver> = {},
): CloudDriver => ({
  ...createSimulatedCloud({ db, speed: 1 }),
  findInstance: () => Promise.resolve(instance),
  listHosts: () => Promise.resolve([targetFor(count)]),
  listHostsLately: () => Promise.resolve([targetFor(count)]),
  listInstances: () => Promise.resolve([]),
  listInstancesLately: () => Promise.resolve([]),
  ...given,
});

export const untilAnybodyWaitsForALock = (db: Database, count = 1): Promise<true> =>
  eventually('somebody waits for a lock', async () => {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length >= count || undefined;
  });
