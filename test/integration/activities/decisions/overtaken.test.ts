/** A decision beside somebody who stores constraints or pauses the session: what was acknowledged first counts. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import type { Services } from '../../../../activities/services';
import { inConstraintWriting } from '../../../../prisma/constraints/constraint-locks';
import { inTransaction, shareLock, type Transaction } from '../../../../prisma/database';
import type { CloudInstance } from '../../../../rules/cloud/cloud-facts';
import { usualTimes } from '../../../../rules/decisions/fleet/usual-times';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { eventually } from '../../../waiting/eventually';
import { aGate } from '../../events/a-gate';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, hostStartSeconds, targetFor } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const state = 'PLANNED_MAINTENANCE';
const [groupId, projectId] = [randomUUID(), randomUUID()];
const instances: readonly CloudInstance[] = [anInstanceOn('a'), anInstanceOn('a')].map((one) => ({
  ...one,
  projectId,
}));

const servicesThatCount = () => {
  const { db } = database;
  const hosts = [
    { ...targetFor(2), name: 'a', enabled: false },
    { ...targetFor(2), name: 'b' },
  ];
  const listings = {
    listHostsLately: () => Promise.resolve(hosts),
    listHosts: () => Promise.resolve(hosts),
    listInstances: () => Promise.resolve([...instances]),
  };
  const limits = {
    ...{ hostStartSeconds, projectReplySeconds: 60, defaultImpactShare: 1, nackRetrySeconds: 10 },
    expectedMaintenanceSeconds: usualTimes.maintenanceSeconds,
  };
  let decisions = 0;
  const watchAdmission = () => ({
    ...noMeasures.watchAdmission(0),
    decided: () => {
      decisions += 1;
    },
  });
  const cloud = aCloudWith(db, { instance: instances[0]! }, listings);
  const measures = { ...noMeasures, watchAdmission };
  // The services that these activities need.
  const services = {
    ...{ db, cloud, decisionTurns: createDecisionTurns(), drafts, limits, measures },
    logger: pino({ level: 'silent' }),
  } as unknown as Services;
  return { services, decisions: () => decisions };
};

const group = { groupId, projectId, groupName: 'g', antiAffinityGroup: false, maxInstancesPerHost: 1 };

/** A session that empties host a, with two instances whose group lets both move at once. */
const aSession = async () => {
  const { db } = database;
  await db.groupConstraint.create({
    data: { ...group, maxImpactedMembers: 2, recoveryTime: 0, resourceMitigation: false },
  });
  for (const { instanceId } of instances) {
    const limits = { maxInterruptionTime: 60, migrationType: 'MIGRATE', resourceMitigation: false, leadTime: 60 };
    await db.instanceConstraint.create({ data: { ...limits, instanceId, projectId, groupId, instanceName: 'vm' } });
  }
  const since = new Date(Date.now() - 60_000);
  const host = { phase: 'emptying', disabled: true, disabledAt: since, disabledBefore: false, drainStartedAt: since };
  return recordRun(db, { state, workflow: 'vnf' }, [{ hostname: 'a', ...host }]);
};

const isLockWaitedFor = async (): Promise<true | undefined> => {
  const rows = await database.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0 ? true : undefined;
};

interface Change {
  /** Takes a lock for which the decision waits. */
  readonly hold: (tx: Transaction) => Promise<unknown>;
  readonly make: (tx: Transaction, sessionId: string) => Promise<unknown>;
}

/** Decides while somebody holds the decision up, who makes a change when it waits. */
const decideBeside = async ({ hold, make }: Change) => {
  const { sessionId, run } = await aSession();
  const { services, decisions } = servicesThatCount();
  const [begun, end] = [aGate(), aGate()];
  const changed = inTransaction(database.db, async (tx) => {
    await hold(tx);
    begun.open();
    await end.passed;
    await make(tx, sessionId);
  });
  await begun.passed;
  const planned = run(() => createDecisionActivities(services).planAndAdmit({ sessionId, state }));
  await eventually('the decision waits for a lock', isLockWaitedFor);
  end.open();
  await changed;
  await planned;
  return { decisions: decisions(), claims: await database.db.claim.count() };
};

/** As a writer of constraints that is about to commit. */
const beforeTheCommit = (tx: Transaction) => shareLock(tx, 'admission');
/** A decision reads the places that it keeps after the row of its session. */
const whileItReads = (tx: Transaction) => tx.$executeRaw`LOCK TABLE reservation IN ACCESS EXCLUSIVE MODE`;

const lowerLimit = (tx: Transaction) => tx.groupConstraint.updateMany({ data: { maxImpactedMembers: 1 } });

const storeForOthers = (tx: Transaction) =>
  tx.groupConstraint.create({
    data: {
      ...{ ...group, groupId: randomUUID(), projectId: randomUUID() },
      ...{ maxImpactedMembers: 1, recoveryTime: 0, resourceMitigation: false },
    },
  });

it.each([
  { what: 'a limit is lowered', hold: beforeTheCommit, make: lowerLimit, decisions: 2, claims: 1 },
  {
    what: 'the group is deleted',
    hold: beforeTheCommit,
    make: (tx: Transaction) => tx.groupConstraint.deleteMany(),
    decisions: 2,
    claims: 1,
  },
  { what: 'another project stores a group', hold: beforeTheCommit, make: storeForOthers, decisions: 1, claims: 2 },
  {
    what: 'the session is paused',
    hold: whileItReads,
    make: (tx: Transaction, id: string) => tx.session.update({ where: { id }, data: { pausedAt: new Date() } }),
    decisions: 2,
    claims: 0,
  },
  {
    what: 'an admin skips the host',
    hold: whileItReads,
    make: (tx: Transaction, sessionId: string) =>
      tx.sessionHost.updateMany({ where: { sessionId }, data: { phase: 'releasing', skipReason: 'broken' } }),
    decisions: 2,
    claims: 0,
  },
])('decides $decisions time(s) and admits $claims where $what meanwhile', async ({ decisions, claims, ...change }) => {
  expect(await decideBeside(change)).toEqual({ decisions, claims });
});

it('decides at last with writers waiting, so that a stream of changes does not keep it from its end', async () => {
  const { sessionId, run } = await aSession();
  const { services, decisions } = servicesThatCount();
  const over = new AbortController();
  const changes = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      await inConstraintWriting(database.db, (tx) =>
        tx.groupConstraint.updateMany({ data: { recoveryTime: turn % 2 } }),
      );
    }
  })();
  await run(() => createDecisionActivities(services).planAndAdmit({ sessionId, state }));
  over.abort();
  await changes;
  expect(decisions()).toBeLessThanOrEqual(3);
  expect(await database.db.claim.count()).toBe(2);
});
