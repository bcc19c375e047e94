/** Shows that a session keeps to freezes: what it gives back, what it does not begin, and when it goes on. */
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import type { Services } from '../../../../activities/services';
import { createSessionActivities } from '../../../../activities/session/session-activities';
import { inTransaction } from '../../../../prisma/database';
import { recordActionStart } from '../../../../prisma/moves/claims';
import { removeFreeze, writeFreeze } from '../../../../prisma/session/freezes';
import { usualTimes } from '../../../../rules/decisions/fleet/usual-times';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { aGate } from '../../events/a-gate';
import { drafts } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import {
  aCloudWith,
  anInstanceOn,
  grantMove,
  hostStartSeconds,
  targetFor,
  untilAnybodyWaitsForALock,
} from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const state = 'PLANNED_MAINTENANCE';
const hourMs = 3_600_000;
const by = 'freeze christmas (Nobody is on call)';

const freeze = (fromHours: number, untilHours: number) => {
  const range = { fromMs: Date.now() + fromHours * hourMs, untilMs: Date.now() + untilHours * hourMs };
  return writeFreeze(database.db, { name: 'christmas', reason: 'Nobody is on call', range }, () => []);
};
const thaw = () => removeFreeze(database.db, 'christmas');

const services = (): Services => {
  const { db } = database;
  const hosts = ['a', 'b'].map((name) => ({ ...targetFor(2), name }));
  const instance = anInstanceOn('a');
  const listings = {
    listHostsLately: () => Promise.resolve(hosts),
    listHosts: () => Promise.resolve(hosts),
    listInstances: () => Promise.resolve([instance]),
  };
  const limits = {
    ...{ hostStartSeconds, projectReplySeconds: 60, defaultImpactShare: 1 },
    expectedMaintenanceSeconds: usualTimes.maintenanceSeconds,
    expectedMoveSeconds: usualTimes.moveSeconds,
    expectedAnswerSeconds: usualTimes.answerSeconds,
  };
  const logger = pino({ level: 'silent' });
  const cloud = aCloudWith(db, { instance }, listings);
  // The services that these activities need.
  const decisionTurns = createDecisionTurns();
  return { db, cloud, decisionTurns, drafts, limits, logger, measures: noMeasures } as unknown as Services;
};

const aSession = async (session: object = {}, host: object = {}) => {
  const actions = [{ plugin: 'script', type: 'host', metadata: {} }];
  const recorded = { state, workflow: 'vnf', actions, ...session };
  const { sessionId, run } = await recordRun(database.db, recorded, [{ hostname: 'a', ...host }]);
  const decide = async () => {
    const plan = await run(() => createDecisionActivities(services()).planAndAdmit({ sessionId, state }));
    return plan.underWork.map(({ phase }) => phase);
  };
  const row = () => database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
  return { sessionId, run, decide, row };
};

const drained = () => ({
  ...{ phase: 'emptying', disabled: true, disabledBefore: false },
  ...{ disabledAt: new Date(), drainStartedAt: new Date() },
});

it('begins nothing in a freeze, and goes on after it', async () => {
  const { decide } = await aSession();
  await freeze(-1, 1);
  expect(await decide()).toEqual([]);
  await thaw();
  expect(await decide()).toEqual(['emptying']);
});

it('gives a host back that is not announced yet when a freeze begins in the middle, and drains it again after', async () => {
  const { decide, sessionId } = await aSession({}, drained());
  expect(await decide()).toEqual(['emptying']);
  await freeze(-1, 1);
  expect(await decide()).toEqual(['releasing']);
  await thaw();
  await database.db.sessionHost.updateMany({ where: { sessionId }, data: { phase: 'waiting', disabled: false } });
  expect(await decide()).toEqual(['emptying']);
});

it('goes on with a host whose maintenance has been announced', async () => {
  const { decide } = await aSession({}, { ...drained(), phase: 'maintaining', announcedAt: new Date() });
  await freeze(-1, 1);
  expect(await decide()).toEqual(['maintaining']);
});

it('begins no host that would not be back before the freeze, and says which freeze that is', async () => {
  const { decide, row } = await aSession();
  await freeze(0.1, 1);
  expect(await decide()).toEqual([]);
  const { waiting } = await row();
  expect(waiting).toEqual([
    expect.objectContaining({
      ...{ who: 'a', waitingFor: 'time' },
      because: expect.stringContaining(`and ${by} begins in 6`) as string,
    }),
  ]);
});

it('works out its next opening when one has closed, by the freezes of that moment', async () => {
  const { decide, row } = await aSession();
  const opening = { windowOpensAt: new Date(0), windowClosesAt: new Date(Date.now() - 1000) };
  await freeze(-1, 1);
  await database.db.session.updateMany({ data: { ...opening, windowFrozenBy: null } });
  expect(await decide()).toEqual([]);
  expect(await row()).toMatchObject({ windowFrozenBy: by, windowClosesAt: null });
  await database.db.freeze.deleteMany({});
  await database.db.session.updateMany({ data: opening });
  expect(await decide()).toEqual(['emptying']);
  expect(await row()).toMatchObject({ windowOpensAt: null, windowFrozenBy: null, windowProblem: null });
});

it('begins nothing where the zone of a freeze is not known, and says so', async () => {
  const { decide, row } = await aSession();
  const times = [{ days: ['fri'] as const, timeZone: 'Mars/Olympus' }];
  await writeFreeze(database.db, { name: 'odd', reason: 'r', times }, () => []);
  expect(await decide()).toEqual([]);
  expect((await row()).windowProblem).toContain('does not know the time zone Mars/Olympus of freeze odd');
});

it('does not begin as a session in a freeze', async () => {
  const { sessionId, run, row } = await aSession({ state: 'MAINTENANCE', maintenanceAt: new Date(0) });
  await freeze(-1, 1);
  expect(await run(() => createSessionActivities(services()).lookAtStart({ sessionId }))).toBeGreaterThan(0);
  expect((await row()).begunAt).toBeNull();
});

describe('an action', () => {
  const terms = { recoveryTime: 0, limitSeconds: 60, limitByProject: false } as const;

  it('that is granted does not begin in a freeze, and begins after it', async () => {
    const { beginner } = await grantMove(database.db);
    await freeze(-1, 1);
    expect(await recordActionStart(database.db, beginner, terms)).toBeUndefined();
    await thaw();
    expect(await recordActionStart(database.db, beginner, terms)).toBeInstanceOf(Date);
  });

  it('does not begin where nobody knows when the freezes end', async () => {
    const { beginner } = await grantMove(database.db);
    await database.db.session.updateMany({ data: { windowProblem: 'the zone is not known' } });
    expect(await recordActionStart(database.db, beginner, terms)).toBeUndefined();
  });

  it('that is beginning is waited for by the freeze', async () => {
    const { beginner } = await grantMove(database.db);
    const [begun, mayCommit] = [aGate(), aGate()];
    const beginning = inTransaction(database.db, async (tx) => {
      const startedAt = await recordActionStart(tx, beginner, terms);
      begun.open();
      await mayCommit.passed;
      return startedAt;
    });
    await begun.passed;
    const order: string[] = [];
    const stored = freeze(-1, 1).then(() => order.push('frozen'));
    await untilAnybodyWaitsForALock(database.db).finally(() => {
      order.push('begun');
      mayCommit.open();
    });
    expect(await beginning).toBeInstanceOf(Date);
    await stored;
    expect(order).toEqual(['begun', 'frozen']);
  });
});
