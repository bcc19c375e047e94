/** Skip, retry, first and ignore, from every phase of a host and every state of its session. */
import { type HostPhase, hostPhases } from '../../../../rules/decisions/fleet/fleet';
import {
  decideHostRequest,
  type HostRequest,
  hostRequests,
  type RequestedHost,
} from '../../../../rules/requests/host-request';

const running = {
  state: 'PLANNED_MAINTENANCE',
  isFailing: false,
  isAborted: false,
  isContinuing: false,
  isDeleting: false,
};
const failed = { ...running, state: 'MAINTENANCE_FAILED' };

const aHost = (phase: HostPhase, given: Partial<RequestedHost> = {}): RequestedHost => ({
  phase,
  isAnnounced: false,
  isDisabledByUs: false,
  isToBeSkipped: false,
  ignoredMarks: [],
  marks: [],
  ...given,
});

/** The phase that it goes to, `same` where only the request is noted, or the kind of the answer. */
const outcomeOf = (request: HostRequest, host: RequestedHost, session = running): string => {
  const decision = decideHostRequest(request, host, session);
  return decision.kind === 'change' ? (decision.phase ?? 'same') : decision.kind;
};

const expected: Readonly<Record<HostRequest, Readonly<Record<HostPhase, string>>>> = {
  skip: {
    waiting: 'skipped',
    emptying: 'releasing',
    maintaining: 'releasing',
    releasing: 'same',
    maintained: 'refuse',
    failed: 'skipped',
    set_aside: 'skipped',
    skipped: 'already',
  },
  retry: {
    waiting: 'already',
    emptying: 'already',
    maintaining: 'already',
    releasing: 'refuse',
    maintained: 'refuse',
    failed: 'refuse',
    set_aside: 'waiting',
    skipped: 'waiting',
  },
  first: {
    waiting: 'same',
    emptying: 'already',
    maintaining: 'already',
    releasing: 'refuse',
    maintained: 'refuse',
    failed: 'refuse',
    set_aside: 'refuse',
    skipped: 'refuse',
  },
  // There is no mark.
  ignore: {
    waiting: 'refuse',
    emptying: 'refuse',
    maintaining: 'refuse',
    releasing: 'refuse',
    maintained: 'refuse',
    failed: 'refuse',
    set_aside: 'refuse',
    skipped: 'refuse',
  },
};

const rows = hostRequests.flatMap((request) =>
  hostPhases.map((phase) => ({ request, phase, outcome: expected[request][phase] })),
);

it.each(rows)('$request of a host that is $phase: $outcome', ({ request, phase, outcome }) => {
  expect(outcomeOf(request, aHost(phase))).toBe(outcome);
});

it.each<{ situation: string; host: RequestedHost; session?: typeof running; outcome: string }>([
  { situation: 'its maintenance has begun', host: aHost('maintaining', { isAnnounced: true }), outcome: 'refuse' },
  { situation: 'it was left disabled', host: aHost('set_aside', { isDisabledByUs: true }), outcome: 'releasing' },
  { situation: 'it is to be skipped already', host: aHost('releasing', { isToBeSkipped: true }), outcome: 'already' },
  {
    situation: 'its failed session left it disabled',
    host: aHost('failed', { isDisabledByUs: true }),
    session: failed,
    outcome: 'same',
  },
  { situation: 'its failed session enabled it', host: aHost('failed'), session: failed, outcome: 'skipped' },
])('skip where $situation: $outcome', ({ host, session, outcome }) => {
  expect(outcomeOf('skip', host, session)).toBe(outcome);
});

it.each<{ situation: string; host: RequestedHost; outcome: string }>([
  { situation: 'it has a mark', host: aHost('waiting', { marks: ['removed'] }), outcome: 'same' },
  { situation: 'it gets a mark while it is drained', host: aHost('emptying', { marks: ['removed'] }), outcome: 'same' },
  { situation: 'its marks are ignored', host: aHost('waiting', { ignoredMarks: ['removed'] }), outcome: 'already' },
  { situation: 'it is maintained', host: aHost('maintained', { marks: ['removed'] }), outcome: 'refuse' },
])('ignore where $situation: $outcome', ({ host, outcome }) => {
  expect(outcomeOf('ignore', host)).toBe(outcome);
});

it.each([
  { situation: 'is being deleted', session: { ...running, isDeleting: true } },
  { situation: 'is done', session: { ...running, state: 'MAINTENANCE_DONE' } },
  { situation: 'has ended its work on hosts', session: { ...running, state: 'MAINTENANCE_COMPLETE' } },
  { situation: 'is being resumed', session: { ...failed, isContinuing: true } },
  { situation: 'is being aborted', session: { ...running, isAborted: true } },
  { situation: 'is failing', session: { ...running, isFailing: true } },
])('no host is steered while its session $situation', ({ session }) => {
  for (const request of ['skip', 'retry', 'first'] as const) {
    const decision = decideHostRequest(request, aHost('waiting'), session);
    expect(decision).toMatchObject({
      ...{ kind: 'refuse', about: 'session' },
      because: expect.any(String) as string,
      hint: expect.any(String) as string,
    });
  }
});
