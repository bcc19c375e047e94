import type { NamedDetail } from '../../../api/showing/name-projects';
import { waitingNow } from '../../../api/waiting/waiting-now';
import type { OpenQuestionRecord, ProjectAnswerRecord, RefusalRecord } from '../../../prisma/session/session-detail';
import { noOpening } from '../../../prisma/session/session-opening';
import { noSteering } from '../../../prisma/session/session-steering';
import type { HostPhase } from '../../../rules/decisions/fleet/fleet';
import { noTurns } from '../../../rules/reasons/by-plan';

const now = new Date('2026-01-01T12:00:00Z');
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const dates = { createdAt: now, updatedAt: null };

const aHost = (hostname: string, phase: HostPhase) => ({
  ...{
    id: hostname,
    hostname,
    type: 'compute',
    phase,
    phaseSince: inSeconds(-60),
    drainStartedAt: null,
    announcedAt: null,
    maintainedFrom: null,
    ...{
      disabled: false,
      isCompute: true,
      disabledBefore: null,
      enablingAt: null,
      findings: null,
      hold: null,
      skipReason: null,
    },
    failure: null,
    details: '',
  },
  maintained: phase === 'maintained',
  ...dates,
});
const anInstance = (instanceId: string, host: string, state = 'ACTIVE') => ({
  ...{ id: instanceId, instanceId, instanceName: instanceId, projectId: 'p', host, state },
  ...{ action: null, actionDone: false, projectState: '', details: null, heldUpSince: null },
  ...dates,
});
const aQuestion = (given: Partial<OpenQuestionRecord> = {}): OpenQuestionRecord => ({
  ...{ projectId: 'p', instanceId: null, hostname: null, instanceIds: [], createdAt: inSeconds(-2) },
  ...{ askedAt: now, replyAt: inSeconds(7) },
  ...given,
});

const aRefusal = (given: Partial<RefusalRecord>): RefusalRecord => ({
  ...{ projectId: 'p', instanceId: null, hostname: null, instanceIds: [], answeredAt: now },
  ...given,
});

const anAnswer = (given: Partial<ProjectAnswerRecord>): ProjectAnswerRecord => ({
  ...{ projectId: 'p', state: 'SCALE_IN', answer: 'ACK', replyAt: inSeconds(7), answeredAt: now },
  ...given,
});

type Given = Partial<Omit<NamedDetail, 'session'>> & { readonly session?: object };

const reasonsFor = ({ session, ...given }: Given) => {
  const detail = {
    session: {
      ...{ id: 's', workflow: 'vnf', maintenanceAt: now, state: 'PLANNED_MAINTENANCE', prevState: '', metadata: {} },
      ...{
        failure: null,
        waiting: [],
        resuming: false,
        stopping: false,
        pausedAt: null,
        ...{ pausedBecause: null, canaryEndedAt: null },
        aborting: false,
        deleting: false,
      },
      steering: noSteering,
      deadlineMissed: null,
      opening: noOpening,
      ...dates,
      ...session,
    },
    ...{ hosts: [], instances: [], plugins: [], downloads: [], openQuestions: [], now },
    projectNames: new Map<string, string>(),
    ...{ projectAnswers: [], refusals: [], moving: new Set<string>(), begun: new Set<string>() },
    ...given,
  };
  return waitingNow(detail, { nackRetries: 2, nackRetrySeconds: 10, turns: noTurns }, 'one');
};

const shown = (given: Given) =>
  reasonsFor(given).map(({ waiting_for, who, subject, remaining_seconds }) => [
    who,
    waiting_for,
    subject,
    remaining_seconds,
  ]);

describe('names beside IDs, and since when', () => {
  const since = inSeconds(-30);
  const hosts = [aHost('a', 'emptying'), aHost('b', 'waiting')];
  const instances = [{ ...anInstance('i-1', 'a'), instanceName: 'web-1' }];
  const i1 = { who: 'i-1', who_name: 'web-1' };
  const noted = (reason: object) => ({ who: 'i-1', sinceMs: since.getTime(), ...reason });

  it.each([
    {
      what: 'a group of which the limits are stored',
      given: { session: { waiting: [noted({ waitingFor: 'group', subject: 'web', subjectId: 'g-1' })] } },
      expected: { ...i1, subject: 'web', subject_id: 'g-1', subject_name: 'web', since },
    },
    {
      what: 'room, which has no name',
      given: { session: { waiting: [noted({ waitingFor: 'room', subject: '4 vcpus' })] } },
      expected: { ...i1, subject: '4 vcpus', subject_id: null, subject_name: null, since },
    },
    {
      what: 'what was noted before times were',
      given: { session: { waiting: [{ waitingFor: 'group', who: 'i-1', subject: 'web' }] } },
      expected: { ...i1, subject_name: 'web', since: null },
    },
    {
      what: "a project's answer",
      given: {
        session: { waiting: [noted({ waitingFor: 'answer', subject: 'p' })] },
        openQuestions: [aQuestion({ instanceId: 'i-1', askedAt: inSeconds(-3) })],
      },
      expected: { ...i1, subject: 'p', subject_id: 'p', subject_name: null, since: inSeconds(-3) },
    },
    {
      what: "a project's answer, where the cloud tells the project's name",
      given: {
        session: { waiting: [noted({ waitingFor: 'answer', subject: 'p' })] },
        openQuestions: [aQuestion({ instanceId: 'i-1', askedAt: inSeconds(-3) })],
        projectNames: new Map([['p', 'web']]),
      },
      expected: { ...i1, subject: 'p', subject_id: 'p', subject_name: 'web', since: inSeconds(-3) },
    },
    {
      what: 'a question that the bus has not taken',
      given: { openQuestions: [aQuestion({ askedAt: null })], session: { state: 'MAINTENANCE' } },
      expected: { who: 'b', who_name: 'b', waiting_for: 'bus', subject_id: 'p', since: inSeconds(-2) },
    },
    {
      what: 'a question that the webhook of its project has not taken',
      given: {
        openQuestions: [aQuestion({ askedAt: null, opensBy: inSeconds(30) })],
        session: { state: 'MAINTENANCE' },
      },
      expected: {
        waiting_for: 'bus',
        because: 'the webhook of the project has not taken the question',
        remaining_seconds: 30,
        since: inSeconds(-2),
      },
    },
    {
      what: 'the turn of its host',
      given: { session: {} },
      expected: {
        ...i1,
        waiting_for: 'host',
        subject: 'a',
        subject_id: null,
        subject_name: 'a',
        since: inSeconds(-60),
      },
    },
    {
      what: 'another instance',
      given: { session: { waiting: [noted({ waitingFor: 'host', who: 'b', subject: 'i-1' })] } },
      expected: { who: 'b', subject: 'i-1', subject_id: 'i-1', subject_name: 'web-1', since },
    },
    {
      what: 'the resume of a paused session',
      given: { session: { pausedAt: since } },
      expected: { ...i1, waiting_for: 'resume', subject_id: null, subject_name: null, since },
    },
  ])('are given of $what', ({ given, expected }) => {
    const wanted = { ...expected, since: expected.since?.toISOString() ?? null };
    expect(reasonsFor({ hosts, instances, ...given })).toContainEqual(expect.objectContaining(wanted));
  });
});

describe('why hosts and instances wait, at the moment of showing', () => {
  it('measures what is left anew', () => {
    const waiting = [
      { waitingFor: 'recovery', who: 'i', subject: 'web', untilMs: inSeconds(30).getTime() },
      { waitingFor: 'recovery', who: 'j', subject: 'web', untilMs: inSeconds(-3).getTime() },
      { waitingFor: 'room', who: 'k', subject: '4 vcpus' },
    ];
    expect(shown({ session: { waiting } })).toEqual([
      ['i', 'recovery', 'web', 30],
      ['j', 'recovery', 'web', 0],
      ['k', 'room', '4 vcpus', null],
    ]);
  });

  it('takes the time left for an answer from the question, and the bus for the reason until that is asked', () => {
    const waiting = ['i', 'j'].map((who) => ({ waitingFor: 'answer', who, subject: 'p' }));
    const openQuestions = [
      aQuestion({ instanceId: 'i' }),
      aQuestion({ instanceId: 'j', askedAt: null, replyAt: null }),
    ];
    expect(shown({ session: { waiting }, openQuestions })).toEqual([
      ['i', 'answer', 'p', 7],
      ['j', 'bus', 'p', null],
    ]);
  });

  it('leaves to the service what follows when the time for an answer is over', () => {
    const waiting = [{ waitingFor: 'answer', who: 'i', subject: 'p' }];
    const openQuestions = [aQuestion({ instanceId: 'i', askedAt: inSeconds(-9), replyAt: inSeconds(-1) })];
    expect(shown({ session: { waiting }, openQuestions })).toEqual([['i', 'service', 'p', null]]);
    const ofSession = aQuestion({ askedAt: inSeconds(-9), replyAt: inSeconds(-1) });
    expect(shown({ hosts: [aHost('a', 'waiting')], openQuestions: [ofSession] })).toEqual([
      ['a', 'service', 'p', null],
    ]);
  });

  it('says why nothing but its own action is offered to a project, also before admission has noted that it waits', () => {
    const cannotMove = { i: 'it is pinned' };
    const question = aQuestion({ hostname: 'a', instanceIds: ['i', 'k'], cannotMove });
    const given = { hosts: [aHost('a', 'emptying')], instances: [anInstance('i', 'a')], openQuestions: [question] };
    const because = 'the cloud does not move it, since it is pinned: only its project can act (OWN_ACTION)';
    const reason = { who: 'i', waiting_for: 'answer', subject: 'p', remaining_seconds: 7, because };
    expect(reasonsFor(given)).toContainEqual(expect.objectContaining(reason));
    const waiting = [{ waitingFor: 'answer', who: 'i', subject: 'p' }];
    expect(reasonsFor({ ...given, session: { waiting } })).toContainEqual(expect.objectContaining(reason));
    expect(reasonsFor({ ...given, session: { pausedAt: now } })).toContainEqual(expect.objectContaining(reason));
  });

  it('takes the time until a project that refused is asked again from its refusal', () => {
    const waiting = ['i', 'j', 'k'].map((who) => ({ waitingFor: 'answer', who, subject: 'p' }));
    const refusals = [
      aRefusal({ instanceId: 'i', answeredAt: inSeconds(-4) }),
      aRefusal({ instanceId: 'j', answeredAt: inSeconds(-10) }),
      aRefusal({ hostname: 'a', instanceIds: ['k'], answeredAt: inSeconds(-7) }),
      aRefusal({ instanceId: 'i', answeredAt: inSeconds(-20) }),
    ];
    expect(shown({ session: { waiting }, refusals })).toEqual([
      ['i', 'answer', 'p', 6],
      ['j', 'answer', 'p', null],
      ['k', 'answer', 'p', 3],
    ]);
  });

  it('counts every instance that neither moves nor has a reason of its own as waiting for its host', () => {
    const hosts = [aHost('a', 'waiting'), aHost('b', 'maintained')];
    const instances = [
      ...['i', 'moves', 'known'].map((id) => anInstance(id, 'a')),
      anInstance('gone', 'a', 'DELETED'),
      anInstance('safe', 'b'),
    ];
    const waiting = [
      { waitingFor: 'host', who: 'a', subject: 'b' },
      { waitingFor: 'group', who: 'known', subject: 'web' },
      { waitingFor: 'group', who: 'moves', subject: 'web' }, // noted before it was granted
    ];
    expect(shown({ session: { waiting }, hosts, instances, moving: new Set(['moves']) })).toEqual([
      ['a', 'host', 'b', null],
      ['known', 'group', 'web', null],
      ['i', 'host', 'a', null],
    ]);
  });

  it('counts a host that is being drained, and on which nothing moves, as waiting for what is soonest over there', () => {
    const hosts = [aHost('still', 'emptying'), aHost('moving', 'emptying'), aHost('noted', 'emptying')];
    const instances = [
      ...['long', 'short', 'open'].map((id) => anInstance(id, 'still')),
      ...['waits', 'moves'].map((id) => anInstance(id, 'moving')),
      anInstance('last', 'noted'),
    ];
    const waiting = [
      { waitingFor: 'recovery', who: 'long', subject: 'web', untilMs: inSeconds(60).getTime() },
      { waitingFor: 'recovery', who: 'short', subject: 'web', untilMs: inSeconds(20).getTime() },
      { waitingFor: 'group', who: 'open', subject: 'db' },
      { waitingFor: 'group', who: 'waits', subject: 'db' },
      { waitingFor: 'group', who: 'last', subject: 'db' },
      { waitingFor: 'host', who: 'noted', subject: 'noted' },
    ];
    const reasons = shown({ session: { waiting }, hosts, instances, moving: new Set(['moves']) });
    expect(reasons.filter(([who]) => hosts.some(({ hostname }) => hostname === who))).toEqual([
      ['noted', 'host', 'noted', null],
      ['still', 'recovery', 'web', 20],
    ]);
  });

  it('counts a host of which nothing else is known as waiting for its turn', () => {
    expect(
      shown({ session: { state: 'MAINTENANCE' }, hosts: [aHost('a', 'waiting'), aHost('b', 'maintained')] }),
    ).toEqual([['a', 'host', 'a', null]]);
  });

  it.each([
    { state: 'MAINTENANCE', openQuestions: [aQuestion()], expected: [['a', 'answer', 'p', 7]] },
    { state: 'SCALE_IN', openQuestions: [aQuestion()], expected: [['a', 'answer', 'p', 7]] },
    { state: 'MAINTENANCE', openQuestions: [], expected: [['a', 'time', '2026-01-01T12:01:00.000Z', 60]] },
    { state: 'MAINTENANCE_FAILED', openQuestions: [], expected: [] },
  ])('tells in $state what all hosts wait for: $expected', ({ state, openQuestions, expected }) => {
    const session = { state, maintenanceAt: inSeconds(60) };
    expect(shown({ session, hosts: [aHost('a', 'waiting')], openQuestions })).toEqual(expected);
  });

  const missing = {
    waitingFor: 'room',
    who: 'a',
    subject: '4 vcpus more on 1 other host',
    sinceMs: now.getTime() - 9000,
  };
  const scalingIn = {
    state: 'SCALE_IN',
    waiting: ['a', 'b'].map((who) => ({ ...missing, who, because: 'host a needs the least' })),
  };
  it.each([
    { what: 'an open question', given: { openQuestions: [aQuestion()] }, expected: ['answer', 'p'] },
    { what: 'a project that has agreed', given: { projectAnswers: [anAnswer({})] }, expected: ['room', 'p'] },
    { what: 'nobody', given: {}, expected: ['room', missing.subject] },
  ])('says in SCALE_IN how much is missing while it waits for $what', ({ given, expected }) => {
    const hosts = [aHost('a', 'waiting'), aHost('b', 'waiting'), aHost('c', 'maintained')];
    const reasons = reasonsFor({ session: scalingIn, hosts, ...given });
    expect(reasons.map(({ who, waiting_for, subject, because }) => [who, waiting_for, subject, because])).toEqual(
      ['a', 'b'].map((who) => [who, ...expected, 'host a needs the least']),
    );
  });

  it('tells in SCALE_IN nothing that was noted of instances in an earlier state', () => {
    const session = { state: 'SCALE_IN', waiting: [{ ...missing, who: 'i', because: 'host b refused it' }] };
    expect(shown({ session, hosts: [aHost('a', 'waiting')] })).toEqual([['a', 'host', 'a', null]]);
  });

  const refused = { state: 'MAINTENANCE', answer: 'NACK' };
  const agreed = { state: 'MAINTENANCE', answer: 'ACK' };
  it.each([
    { what: 'the capacity that a project frees', state: 'SCALE_IN', answers: [{}], expected: ['a', 'room', 'p', 7] },
    {
      what: 'nobody who had agreed before another one was asked',
      ...{ state: 'SCALE_IN', answers: [{ projectId: 'q', answer: 'NACK' }, {}], expected: undefined },
    },
    {
      what: 'nobody whose time to scale in is over',
      ...{ state: 'SCALE_IN', answers: [{ replyAt: inSeconds(-1) }], expected: undefined },
    },
    {
      what: 'a project that refused and will be asked again',
      ...{
        state: 'MAINTENANCE',
        answers: [{ projectId: 'q', ...agreed }, refused],
        expected: ['a', 'answer', 'p', 10],
      },
    },
    {
      what: 'nobody who has agreed since',
      ...{ state: 'MAINTENANCE', answers: [agreed, refused], expected: undefined },
    },
    { what: 'nobody for an earlier state', state: 'SCALE_IN', answers: [refused], expected: undefined },
    {
      what: 'nobody who refused and was silent when it was asked again',
      ...{ state: 'MAINTENANCE', answers: [{ ...refused, answer: null }, refused], expected: undefined },
    },
    {
      what: 'nobody who refused and has no instance left',
      ...{ state: 'MAINTENANCE', answers: [{ ...refused, projectId: 'gone' }], expected: undefined },
    },
  ])('tells after answers in $state what all hosts wait for: $what', ({ state, answers, expected }) => {
    const projectAnswers = answers.map(anAnswer);
    const instances = [anInstance('i', 'done')];
    const itsTurn = ['a', 'host', 'a', null];
    expect(shown({ session: { state }, hosts: [aHost('a', 'waiting')], instances, projectAnswers })).toEqual([
      expected ?? itsTurn,
    ]);
  });

  it('shows why the cloud does not carry out a move that has begun', () => {
    const refused = {
      ...anInstance('i', 'a'),
      details: 'waits: the budget web needs 2 pods',
      heldUpSince: inSeconds(-9),
    };
    const failedBefore = { ...anInstance('j', 'a'), details: 'the budget web needed 2 pods' };
    const given = { hosts: [aHost('a', 'emptying')], instances: [refused, failedBefore], begun: new Set(['i', 'j']) };
    const reasons = reasonsFor({ ...given, moving: new Set(['i', 'j']) });
    expect(reasons).toMatchObject([
      {
        ...{ waiting_for: 'move', who: 'i', subject: 'a', because: 'the budget web needs 2 pods' },
        since: inSeconds(-9).toISOString(),
      },
    ]);
  });

  it('shows of a paused session what it waits for now, whatever admission noted before', () => {
    const pausedAt = inSeconds(-60);
    const session = { pausedAt, waiting: [{ waitingFor: 'room', who: 'i', subject: '4 vcpus' }] };
    const hosts = [aHost('a', 'emptying'), aHost('b', 'waiting')];
    const instances = [
      ...['i', 'asked', 'granted', 'moves'].map((id) => anInstance(id, 'a')),
      anInstance('gone', 'a', 'DELETED'),
    ];
    const openQuestions = [aQuestion({ hostname: 'a', instanceId: 'asked', instanceIds: ['asked'] })];
    const moving = new Set(['granted', 'moves']);
    expect(shown({ session, hosts, instances, openQuestions, moving, begun: new Set(['moves']) })).toEqual([
      ['b', 'resume', pausedAt.toISOString(), null],
      ['i', 'resume', pausedAt.toISOString(), null],
      ['asked', 'answer', 'p', 7],
      ['granted', 'resume', pausedAt.toISOString(), null],
    ]);
  });

  it.each([
    { situation: 'not opened', host: aHost('a', 'waiting'), waits: true },
    { situation: 'emptied, with nothing of it in flight', host: aHost('a', 'emptying'), waits: true },
    { situation: 'to be maintained, and not announced yet', host: aHost('a', 'maintaining'), waits: true },
    { situation: 'in maintenance', host: { ...aHost('a', 'maintaining'), announcedAt: now }, waits: false },
    { situation: 'given back', host: aHost('a', 'releasing'), waits: false },
    { situation: 'maintained', host: aHost('a', 'maintained'), waits: false },
  ])('a host of a paused session that is $situation waits for the resume: $waits', ({ host, waits }) => {
    const instances = [anInstance('i', 'maintained')];
    const hosts = [host, aHost('maintained', 'maintained')];
    expect(shown({ session: { pausedAt: now }, hosts, instances })).toEqual(
      waits ? [['a', 'resume', now.toISOString(), null]] : [],
    );
  });

  it('an open question of a paused session goes on: first the bus takes it, and once its time is over, it is held', () => {
    const about = (id: string, given: Partial<OpenQuestionRecord>) =>
      aQuestion({ hostname: 'a', instanceIds: [id], ...given });
    const openQuestions = [
      about('asked', {}),
      about('unsent', { askedAt: null, replyAt: null }),
      about('over', { replyAt: inSeconds(-1) }),
    ];
    const instances = ['asked', 'unsent', 'over'].map((id) => anInstance(id, 'a'));
    const hosts = [aHost('a', 'emptying')];
    expect(shown({ session: { pausedAt: now }, hosts, instances, openQuestions })).toEqual([
      ['asked', 'answer', 'p', 7],
      ['unsent', 'bus', 'p', null],
      ['over', 'resume', now.toISOString(), null],
    ]);
  });

  it('all of a session waits after its canary, until the time that the canary says', () => {
    const canary = { hosts: 1, then: 'continue', waitSeconds: 60 } as const;
    const session = { steering: { ...noSteering, canary }, canaryEndedAt: inSeconds(-20) };
    expect(shown({ session, hosts: [aHost('a', 'waiting')] })).toEqual([['a', 'time', '2026-01-01T12:00:40.000Z', 40]]);
    expect(shown({ session: { ...session, canaryEndedAt: inSeconds(-60) }, hosts: [aHost('a', 'waiting')] })).toEqual([
      ['a', 'host', 'a', null],
    ]);
  });

  it.each([
    { of: 'windows', windows: [{ days: ['fri'], timeZone: 'Mars/Olympus' }] as const, subject: 'maintenance windows' },
    { of: 'freezes', windows: null, subject: 'the end of freezes' },
  ])('all of a session waits whose $of no worker can work out', ({ windows, subject }) => {
    const opening = { ...noOpening, windowProblem: 'no time zone Mars/Olympus' };
    const session = { opening, steering: { ...noSteering, windows } };
    expect(reasonsFor({ session, hosts: [aHost('a', 'waiting')] })).toMatchObject([
      { who: 'a', waiting_for: 'window', owner: 'admin', subject, because: 'no time zone Mars/Olympus' },
    ]);
  });

  it.each([
    {
      situation: 'before the look of a worker, by the freeze that has closed its opening',
      opening: { windowOpensAt: inSeconds(-9), windowClosesAt: now, windowOpensAgainAt: inSeconds(60) },
      by: { windowClosedBy: 'freeze x (y)' },
    },
    {
      situation: 'after it, by the freeze that keeps it closed',
      opening: { windowOpensAt: inSeconds(60), windowClosesAt: inSeconds(99), windowOpensAgainAt: null },
      by: { windowFrozenBy: 'freeze x (y)', windowClosedBy: 'freeze z (z)' },
    },
  ])('all of a session without windows waits for the end of a freeze, $situation', ({ opening, by }) => {
    const session = { opening: { ...noOpening, ...opening, ...by } };
    expect(reasonsFor({ session, hosts: [aHost('a', 'waiting')] })).toMatchObject([
      {
        ...{ who: 'a', waiting_for: 'time', owner: 'admin', remaining_seconds: 60 },
        because: 'freeze x (y) keeps it from beginning before then',
      },
    ]);
  });

  it('tells the limit that holds something back, and who occupies it', () => {
    const limit = { max: 2, occupied: 3, occupiedBy: ['j', 'k'] };
    const waiting = [{ waitingFor: 'group', who: 'i', subject: 'web', limit }];
    expect(reasonsFor({ session: { waiting } })).toMatchObject([
      { who: 'i', limit: { max: 2, kept_by: 'service', occupied: 3, occupied_by: ['j', 'k'] } },
    ]);
  });
});
