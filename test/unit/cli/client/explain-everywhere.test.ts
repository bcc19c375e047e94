/** `parley explain` in every phase of a host, whatever its session does: from the records by way of the API. */
import type { Session } from '@prisma/client';
import { progressStates } from '../../../../api/schemas/summary-schemas';
import type { NamedWhole } from '../../../../api/showing/name-projects';
import { serializeSessionDetail } from '../../../../api/showing/serialize-session';
import { progressStateOf } from '../../../../api/summary/progress';
import { explain } from '../../../../cli/client/commands/explain';
import { toSessionRecord } from '../../../../prisma/session/session-detail';
import { noOpening } from '../../../../prisma/session/session-opening';
import type { SessionProgress } from '../../../../prisma/session/session-progress';
import { noSteering } from '../../../../prisma/session/session-steering';
import { type HostPhase, hostPhases, sessionStates } from '../../../../rules/decisions/fleet/fleet';
import { noTurns } from '../../../../rules/reasons/by-plan';
import { decideHostRequest, requestedHostOf } from '../../../../rules/requests/host-request';
import { decideRequest, requestedOf } from '../../../../rules/requests/session-request';

type Progress = (typeof progressStates)[number];
/** A session that is in MAINTENANCE_FAILED or MAINTENANCE_COMPLETE and goes on has columns of its own. */
type Column = Progress | 'continuing' | 'ended';

const now = new Date('2026-01-01T12:00:00Z');
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const failure = 'host other: it broke';

/** The columns of a session's row by which it makes that progress. */
const rows: Readonly<Record<Progress, Partial<SessionProgress>>> = {
  scheduled: { begunAt: null, maintenanceAt: inSeconds(600) },
  running: {},
  closed: {
    windows: [{ days: ['mon'], from: '02:00', to: '04:00', timeZone: 'UTC' }],
    windowOpensAt: inSeconds(600),
    windowClosesAt: inSeconds(7800),
  },
  paused: { pausedAt: inSeconds(-30) },
  failing: { stopping: 'failing', failure },
  failed: { failure },
  aborting: { abortRequestedAt: inSeconds(-1), pausedAt: inSeconds(-30) },
  aborted: { abortRequestedAt: inSeconds(-1), failure: 'aborted by an admin' },
  deleting: { deleteRequestedAt: inSeconds(-1) },
  done: {},
};

const columnOf = (progress: Progress, state: string): Column => {
  const goesOn = progress === 'running' || progress === 'paused' || progress === 'closed' || progress === 'scheduled';
  if (goesOn && state === 'MAINTENANCE_FAILED') return 'continuing';
  return goesOn && state === 'MAINTENANCE_COMPLETE' ? 'ended' : progress;
};

const rowOf = (progress: Progress, state: string) => ({
  ...{ id: '47479bca-7f0f-4eb1-a1a6-000000000001', workflow: 'vnf', prevState: 'PLANNED_MAINTENANCE', metadata: {} },
  ...{ maintenanceAt: inSeconds(-600), begunAt: inSeconds(-600), createdAt: inSeconds(-700), updatedAt: null },
  ...{
    failure: null,
    stopping: null,
    pausedAt: null,
    pausedBecause: null,
    canaryEndedAt: null,
    abortRequestedAt: null,
    waiting: [],
  },
  ...{ deleteRequestedAt: null, deadlineMissed: null, ...noSteering, ...noOpening },
  ...{ continueRequestId: progress === 'running' && state === 'MAINTENANCE_FAILED' ? 'r' : null },
  ...rows[progress],
  state,
});

const dates = { createdAt: now, updatedAt: null };
const hostIn = (phase: HostPhase) => ({
  ...{ id: 'h', hostname: 'compute-1', type: 'compute', isCompute: true, phase, phaseSince: inSeconds(-60) },
  ...{ drainStartedAt: null, announcedAt: phase === 'maintaining' ? now : null, maintainedFrom: null, details: '' },
  ...{
    disabled: false,
    disabledBefore: null,
    enablingAt: null,
    findings: null,
    hold: null,
    skipReason: null,
    failure: null,
    pastPhases: [],
  },
  ...{ maintained: phase === 'maintained', ...dates },
});
const instance = {
  ...{ id: 'i', instanceId: 'i-1', instanceName: 'web-1', projectId: 'p', host: 'compute-1', state: 'ACTIVE' },
  ...{ action: null, actionDone: false, projectState: '', details: null, ...dates },
};

interface Told {
  readonly phase: HostPhase;
  readonly progress: Progress;
  readonly state: string;
  /** The fields of the instance. */
  readonly given?: object;
}

const told = ({ phase, progress, state, given = {} }: Told) => {
  const row = rowOf(progress, state);
  const session: unknown = row;
  const whole: unknown = {
    session: toSessionRecord(session as Session),
    ...{
      hosts: [hostIn(phase)],
      instances: [{ ...instance, ...given }],
      plugins: [],
      downloads: [],
      openQuestions: [],
      now,
    },
    ...{
      projectAnswers: [],
      refusals: [],
      moving: new Set('action' in given ? ['i-1'] : []),
      begun: new Set(),
      projectNames: new Map(),
    },
  };
  const detail = serializeSessionDetail(whole as NamedWhole, { nackRetries: 2, nackRetrySeconds: 10, turns: noTurns });
  const summary = { progress: progressStateOf(session as SessionProgress, now), state, failure: row.failure };
  const lines = (thing: string) => (explain({ detail, summary }, thing) ?? []).slice(1).join('\n');
  return {
    ofHost: lines('compute-1'),
    ofInstance: lines('web-1'),
    progress: summary.progress,
    requested: requestedOf(row),
  };
};

/** Every progress with every state that goes with it. */
const situations = progressStates.flatMap((progress) =>
  sessionStates
    .filter((state) => {
      if (progress === 'deleting') return true;
      if (progress === 'aborted') return state === 'MAINTENANCE_FAILED';
      if (progress === 'done' || progress === 'failed') return state === `MAINTENANCE_${progress.toUpperCase()}`;
      return state !== 'MAINTENANCE_DONE' && (state !== 'MAINTENANCE_FAILED' || progress === 'running');
    })
    .map((state) => ({ progress, state })),
);

const endings = {
  failing: 'the session is failing',
  aborting: 'the session is being aborted',
  deleting: 'the session is being deleted',
  failed: 'the session has failed',
  aborted: 'the session was aborted',
  ended: 'the session has ended its work on hosts',
  done: 'the session is over',
} as const;
type Ending = keyof typeof endings;

const afterEach = (words: (ending: string) => string): Record<Ending, string> => ({
  ...{ failing: words(endings.failing), aborting: words(endings.aborting), deleting: words(endings.deleting) },
  ...{
    failed: words(endings.failed),
    aborted: words(endings.aborted),
    ended: words(endings.ended),
    done: words(endings.done),
  },
});
const whileItGoesOn = (words: string) => ({ scheduled: words, running: words, closed: words, paused: words });
const workHasEnded = afterEach((ending) => `the work on it has ended: ${ending}`);
const continuing = 'the session is about to continue after its failure';
const goesBack = (ending: string) => `it goes back to use, once what moves has ended: ${ending}`;
const isBrokenOff = (ending: string) => `its maintenance is broken off, and it goes back to use: ${ending}`;
const toUse = 'it goes back to use, once what moves has ended';
const maintained = 'it is maintained: nothing more is done with it';
const opens = 'waits for its time, 2026-01-01T12:10:00.000Z';

/** What is said first of a host: a phase or a progress that is new has to be added here. */
const table: Readonly<Record<HostPhase, Readonly<Record<Column, string>>>> = {
  waiting: {
    ...{
      scheduled: opens,
      running: 'waits for its turn',
      closed: opens,
      paused: 'waits for the resume of the session',
    },
    ...{
      continuing: `${continuing}: its turn comes then`,
      ...afterEach((ending) => `no work begins on it: ${ending}`),
    },
  },
  emptying: {
    ...{ scheduled: 'its instances are looked at next', running: 'its instances are looked at next', closed: opens },
    ...{ paused: 'waits for the resume of the session', continuing, ...workHasEnded },
    ...{
      failing: goesBack(endings.failing),
      aborting: goesBack(endings.aborting),
      deleting: goesBack(endings.deleting),
    },
  },
  maintaining: {
    ...{ ...whileItGoesOn('its maintenance runs'), continuing, ...workHasEnded },
    failing: 'its maintenance runs to its end, though the session is failing',
    ...{ aborting: isBrokenOff(endings.aborting), deleting: isBrokenOff(endings.deleting) },
  },
  releasing: {
    ...{ ...whileItGoesOn(toUse), continuing, ...workHasEnded },
    ...{ failing: toUse, aborting: toUse, deleting: toUse, ended: toUse },
  },
  maintained: { ...whileItGoesOn(maintained), continuing: maintained, ...afterEach(() => maintained) },
  failed: {
    ...whileItGoesOn('it has failed: it is set aside next, or the session fails'),
    continuing: `${continuing}, and works on it again`,
    ...afterEach((ending) => `it has failed; ${ending}`),
  },
  set_aside: {
    ...{ ...whileItGoesOn('it was set aside'), continuing: 'it was set aside' },
    ...afterEach((ending) => `it was set aside; ${ending}`),
  },
  skipped: {
    ...{ ...whileItGoesOn('it was skipped'), continuing: 'it was skipped' },
    ...afterEach((ending) => `it was skipped; ${ending}`),
  },
};

const cells = hostPhases.flatMap((phase) => situations.map((situation) => ({ phase, ...situation })));

describe.each(cells)('a host that is $phase in a session that is $progress in $state', ({ phase, progress, state }) => {
  const { ofHost, ofInstance, requested, ...rest } = told({ phase, progress, state });
  const said = table[phase][columnOf(progress, state)];

  it('is explained as it is, and so is an instance on it', () => {
    expect(rest.progress).toBe(progress);
    const [first] = ofHost.split('\n');
    expect(first?.trim().replace(/, [^,]* at most$/, '')).toBe(said);
    expect(ofInstance).toMatch(/^ {2}(waits for|it stays there for now; host compute-1: )/);
    expect(ofInstance).toContain(ofInstance.includes('it stays') ? said : 'waits for');
  });

  it('is helped by requests alone that the service accepts', () => {
    const [all, host] = [`${ofHost}\n${ofInstance}`, requestedHostOf(hostIn(phase))];
    const accepts = (request: 'retry' | 'first'): boolean =>
      decideHostRequest(request, host, requested).kind === 'change';
    const continues = state === 'MAINTENANCE_FAILED' && !requested.isContinuing && !requested.isDeleting;
    const isLater = all.includes('once the session') || all.includes('once it is');
    expect(all.includes('parley hosts retry') && !isLater).toBe(accepts('retry'));
    expect(all.includes('parley hosts first') && !accepts('first')).toBe(false);
    expect(all.includes('continue the session') && !isLater && !all.includes('once it has')).toBe(
      continues && phase !== 'maintained',
    );
    expect(all.includes('parley resume') && decideRequest('resume', requested).kind !== 'change').toBe(false);
  });
});

const onTheWay = { progress: 'running', state: 'PLANNED_MAINTENANCE' } as const;

const leftBehind = cells.filter(({ phase }) => ['failed', 'set_aside', 'skipped'].includes(phase));

it.each(leftBehind)('sends a $phase host to another session only where $progress in $state is the end', (cell) => {
  const isTheEnd = ['ended', 'deleting', 'done'].includes(columnOf(cell.progress, cell.state));
  expect(told(cell).ofHost.includes('maintain the host in another session')).toBe(isTheEnd);
});

it.each<{ of: string; given: object; phase: HostPhase; says: string }>([
  { of: 'it moves', given: { action: 'MIGRATE' }, phase: 'emptying', says: 'it moves' },
  { of: 'it is gone', given: { state: 'DELETED' }, phase: 'emptying', says: 'it is gone: nothing' },
  {
    ...{ of: 'its move has failed', given: { action: 'MIGRATE', details: 'MIGRATE to b failed: no' }, phase: 'failed' },
    ...{ says: 'MIGRATE to b failed: no\n  it stays there for now; host compute-1: failed' },
  },
  {
    ...{ of: 'it is on a host of nobody', given: { host: 'b', action: 'MIGRATE', actionDone: true }, phase: 'waiting' },
    ...{ says: 'it stays there: host b is not in the session' },
  },
])('says of an instance that $of', ({ given, phase, says }) => {
  expect(told({ ...onTheWay, phase, given }).ofInstance).toContain(`  ${says}`);
});

it.each([
  { moving: ['i-1'], says: '1 instance on it moves away' },
  { moving: [], says: 'it is empty: its maintenance comes next' },
])('says of a host that is drained: $says', ({ moving, says }) => {
  const given = moving.length > 0 ? { action: 'MIGRATE' } : { host: 'compute-2' };
  expect(told({ ...onTheWay, phase: 'emptying', given }).ofHost).toContain(says);
});
