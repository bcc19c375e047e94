/** Shows which hosts begin within a maintenance window, which are given back, and why the others wait. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createDecisionActivities } from '../../../../activities/decisions/decision-activities';
import { createDecisionTurns } from '../../../../activities/decisions/decision-turns';
import { createPluginActivities } from '../../../../activities/hosts/plugin-activities';
import { createQuestionActivities } from '../../../../activities/questions/question-activities';
import type { StateRef } from '../../../../activities/questions/state-ref';
import type { Services } from '../../../../activities/services';
import { createSessionActivities } from '../../../../activities/session/session-activities';
import { usualTimes } from '../../../../rules/decisions/fleet/usual-times';
import { noMeasures } from '../../../../telemetry/metrics/measures';
import { drafts, recordQuestion } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';
import { aCloudWith, anInstanceOn, hostStartSeconds, targetFor } from '../moves/granted-move';
import { recordRun } from '../session/recorded-run';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const state = 'PLANNED_MAINTENANCE';
const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000);
/** Less than the minute after which every wait looks again, and long enough for a busy machine to look before. */
const soonMs = 55_000;
const soon = (): Date => new Date(Date.now() + soonMs);
const daily = (timeZone = 'UTC') => [{ days: ['mon'], from: '02:00', to: '04:00', timeZone }];
/** Whose time nobody tells. */
const actions = [{ plugin: 'script', type: 'host', metadata: {} }];
/** Open since an hour, for two more. */
const openNow = {
  ...{ windows: daily(), windowOpensAt: hours(-1), windowClosesAt: hours(2), windowOpensAgainAt: hours(23) },
  windowLongestSeconds: 3 * 3600,
};

const instance = anInstanceOn('a');

const services = (): Services => {
  const { db } = database;
  const hosts = [
    { ...targetFor(2), name: 'a' },
    { ...targetFor(2), name: 'b' },
  ];
  const listings = {
    listHostsLately: () => Promise.resolve(hosts),
    listHosts: () => Promise.resolve(hosts),
    listInstances: () => Promise.resolve([instance]),
  };
  const limits = {
    ...{ hostStartSeconds, projectReplySeconds: 3 * 3600, defaultImpactShare: 1 },
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

interface Recorded {
  readonly session?: object;
  readonly host?: object;
}

const aSession = ({ session = {}, host = {} }: Recorded) =>
  recordRun(database.db, { state, workflow: 'vnf', actions, ...openNow, ...session }, [{ hostname: 'a', ...host }]);

const decide = async (recorded: Recorded) => {
  const { sessionId, run } = await aSession(recorded);
  const plan = await run(() => createDecisionActivities(services()).planAndAdmit({ sessionId, state }));
  const row = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
  return { sessionId, plan, phases: plan.underWork.map(({ phase }) => phase), waiting: row.waiting, row };
};

const silences = async (count: number) => {
  const data = Array.from({ length: count }, (_, n) => ({
    ...{ questionId: `00000000-0000-4000-8000-00000000000${n}`, projectId: instance.projectId, state, seconds: null },
    endedAt: new Date(),
  }));
  await database.db.answerTime.createMany({ data });
};

it('begins a host that will be back in time', async () => {
  expect((await decide({})).phases).toEqual(['emptying']);
});

it.each([
  { situation: 'never', before: null },
  { situation: 'once, and was given back', before: hours(-20) },
])('remembers the first drain of a host that was drained before $situation', async ({ before }) => {
  const { sessionId } = await decide({ host: { drainStartedAt: before, firstDrainedAt: before } });
  const host = await database.db.sessionHost.findFirstOrThrow({ where: { sessionId } });
  expect(host.drainStartedAt).not.toEqual(before);
  expect(host.firstDrainedAt).toEqual(before ?? host.drainStartedAt);
});

it('does not begin a host of a project that has been silent and has longer for its reply than the window lasts', async () => {
  await silences(3);
  const { phases, waiting } = await decide({});
  expect(phases).toEqual([]);
  const because = expect.stringMatching(/196 minutes, and the longest window has 180$/) as string;
  expect(waiting).toEqual(
    expect.arrayContaining([expect.objectContaining({ who: 'a', waitingFor: 'window', because })]),
  );
});

describe('a host that would not be back in time', () => {
  const drained = {
    phase: 'emptying',
    disabled: true,
    disabledBefore: false,
    disabledAt: hours(-0.9),
    drainStartedAt: hours(-1),
  };
  const closesSoon = { windowClosesAt: hours(0.1) };

  it.each([
    { situation: 'while it runs', session: {} },
    { situation: 'while it is paused', session: { pausedAt: new Date() } },
    {
      situation: 'while it waits after its canary',
      session: { canary: { hosts: 1, then: 'continue', waitSeconds: 9_999 }, canaryEndedAt: new Date() },
    },
  ])('is given back $situation', async ({ session }) => {
    const { phases, waiting } = await decide({ session: { ...closesSoon, ...session }, host: drained });
    expect(phases).toEqual(['releasing']);
    expect(JSON.stringify(waiting)).not.toContain('"who": "a"');
  });

  it('stays as it is where the request says that its plug-in takes no time', async () => {
    const quick = [{ plugin: 'dummy', type: 'host', metadata: { seconds: 0 } }];
    const { phases } = await decide({ session: { ...closesSoon, actions: quick }, host: drained });
    expect(phases).toEqual(['emptying']);
  });

  it('is given back outside of all windows too, while the session is paused', async () => {
    const closed = { windowOpensAt: hours(1), pausedAt: new Date() };
    expect((await decide({ session: closed, host: drained })).phases).toEqual(['releasing']);
  });

  it('stays as it is in a pause within the window', async () => {
    expect((await decide({ session: { pausedAt: new Date() }, host: drained })).phases).toEqual(['emptying']);
  });

  it('counts the silence of its project, so that the host is not drained in vain in every window', async () => {
    const { sessionId, run } = await aSession({ session: closesSoon, host: drained });
    const asked = { askedAt: hours(-1), replyAt: hours(2), state, hostname: 'a', projectId: instance.projectId };
    const messageId = await recordQuestion(database.db, { sessionId });
    await database.db.question.update({ where: { messageId }, data: asked });
    await run(() => createDecisionActivities(services()).planAndAdmit({ sessionId, state }));
    expect(await database.db.answerTime.findMany()).toMatchObject([{ projectId: instance.projectId, seconds: null }]);
  });
});

describe('a host whose last maintenance took longer than every window', () => {
  const days = (count: number): Date => hours(24 * count);
  const slowNight = (hostname: string, endedAt: Date) =>
    database.db.maintenanceTime.create({
      data: {
        ...{ sessionId: randomUUID(), hostname, type: 'compute', plugins: 'host:script', actionsDigest: '' },
        ...{ seconds: 10 * 3_600, endedAt },
      },
    });

  it('waits, and says when it is tried again, until a week after the session has begun', async () => {
    await slowNight('a', days(-90));
    const { phases, waiting } = await decide({ session: { begunAt: days(-6) } });
    expect(phases).toEqual([]);
    const because = expect.stringMatching(
      /took 600 minutes before, and is tried again with the usual 15 in the first window from 20/,
    ) as string;
    expect(waiting).toEqual([expect.objectContaining({ who: 'a', waitingFor: 'window', because })]);
  });

  it('is tried after that, and is not given back while it is drained', async () => {
    await slowNight('a', days(-8));
    const { sessionId, run } = await aSession({ session: { begunAt: days(-8) } });
    const plan = () => run(() => createDecisionActivities(services()).planAndAdmit({ sessionId, state }));
    expect((await plan()).underWork.map(({ phase }) => phase)).toEqual(['emptying']);
    expect((await plan()).underWork.map(({ phase }) => phase)).toEqual(['emptying']);
  });

  it('waits for another week where it was slow once more', async () => {
    await slowNight('a', days(-30));
    await slowNight('a', days(-1));
    expect((await decide({ session: { begunAt: days(-8) } })).phases).toEqual([]);
  });
});

describe('a time zone that the worker does not know', () => {
  const windows = daily('Mars/Olympus');
  const unknown = { windows, windowClosesAt: hours(-0.5) };

  it('is kept as the reason of the session, which begins nothing and gives drained hosts back', async () => {
    const { phases, row } = await decide({ session: unknown, host: { phase: 'emptying' } });
    expect(phases).toEqual(['releasing']);
    expect(row.windowProblem).toContain('does not know the time zone Mars/Olympus');
  });

  it('stands in the way of no deadline', async () => {
    const { row } = await decide({ session: { ...unknown, deadline: hours(1) } });
    expect(row.deadlineMissed).toBeNull();
  });

  it('goes away with the windows', async () => {
    const { sessionId, run } = await aSession({ session: { ...unknown, windowOpensAt: null, windowProblem: 'none' } });
    await database.db.session.update({ where: { id: sessionId }, data: { windows: daily() } });
    await run(() => createDecisionActivities(services()).planAndAdmit({ sessionId, state }));
    const row = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect([row.windowProblem, row.windowOpensAt === null]).toEqual([null, false]);
  });
});

it('a session that asks its projects looks again when its window opens', async () => {
  const opensSoon = { state: 'MAINTENANCE', windowOpensAt: soon() };
  const { sessionId, run } = await aSession({ session: opensSoon });
  const ref = { sessionId, state: 'MAINTENANCE' };
  const { lookAgainMs } = await run(() => createQuestionActivities(services()).askProjects(ref));
  expect(lookAgainMs).toBeGreaterThan(0);
  expect(lookAgainMs).toBeLessThanOrEqual(soonMs);
});

describe.each([
  {
    what: 'a pre plug-in',
    begin: (ref: StateRef) => createPluginActivities(services()).runPlugin({ ...ref, hostname: '', position: 0 }),
  },
  {
    what: 'the choice of the state in which it begins',
    begin: (ref: StateRef) => createDecisionActivities(services()).chooseBeginning(ref),
  },
])('$what outside of the windows', ({ begin }) => {
  const held = async () => {
    const opensSoon = { state: 'MAINTENANCE', windowOpensAt: soon() };
    const { sessionId, run } = await aSession({
      session: { ...opensSoon, actions: [{ plugin: 'dummy', type: 'pre', metadata: {} }] },
    });
    return run(() => begin({ sessionId, state: 'MAINTENANCE' }));
  };

  it('is to be tried again when a window opens', async () => {
    const answer = await held();
    const tryAgainMs = typeof answer === 'object' ? answer.tryAgainMs : 0;
    expect(tryAgainMs).toBeGreaterThan(0);
    expect(tryAgainMs).toBeLessThanOrEqual(soonMs);
  });
});

describe('a session whose start has come', () => {
  const lookAtStart = async (session: object) => {
    const { sessionId, run } = await aSession({
      session: { state: 'MAINTENANCE', maintenanceAt: hours(-1), ...session },
    });
    const waitMs = await run(() => createSessionActivities(services()).lookAtStart({ sessionId }));
    const { begunAt } = await database.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return { waits: waitMs > 0, begun: begunAt !== null };
  };

  it.each([
    { situation: 'within its window', session: {}, begun: true },
    { situation: 'before its window opens', session: { windowOpensAt: hours(1) }, begun: false },
    { situation: 'and that is paused', session: { pausedAt: new Date() }, begun: false },
    {
      situation: 'whose windows nobody can work out',
      session: { windows: daily('Mars/Olympus'), windowClosesAt: hours(-1) },
      begun: false,
    },
  ])('$situation has begun: $begun', async ({ session, begun }) => {
    expect(await lookAtStart(session)).toEqual({ waits: !begun, begun });
  });
});
