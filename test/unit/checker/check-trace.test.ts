/** Small traces of two computes, a spare one and two controllers; each breaks one rule, or none. */
import { violationsIn } from '../../checker/check-trace';
import type { Rule, Trace, TracedGroup, TracedHost, TracedInstance, TraceEvent } from '../../checker/trace';

const aHost = (name: string, given: Partial<TracedHost> = {}): TracedHost => ({
  name,
  type: 'compute',
  isCompute: true,
  vcpus: 4,
  memoryMb: 4096,
  disabled: false,
  maintenanceSeconds: 100,
  ...given,
});
const aController = (name: string): TracedHost => aHost(name, { type: 'controller', isCompute: false });

const web: TracedGroup = { id: 'web', maxImpactedMembers: 1, recoverySeconds: 30 };

const anInstance = (id: string, given: Partial<TracedInstance> = {}): TracedInstance => ({
  id,
  groupId: 'web',
  host: 'h-1',
  vcpus: 2,
  memoryMb: 1024,
  action: 'LIVE_MIGRATE',
  leadSeconds: 0,
  moveSeconds: 10,
  readySeconds: 5,
  ...given,
});

/** Both on h-1; b is asked before it moves. */
const pair = [anInstance('a'), anInstance('b', { leadSeconds: 20 })];
const ownAction = [anInstance('a'), anInstance('b', { leadSeconds: 20, action: 'OWN_ACTION' })];

const aTrace = (events: readonly TraceEvent[], given: Partial<Trace> = {}): Trace => ({
  hosts: [aHost('h-1'), aHost('h-2'), aHost('h-3'), aController('c-1'), aController('c-2')],
  groups: [web],
  instances: pair,
  // A session that was stopped, so that a case need not go on to the end.
  sessions: [{ hosts: ['h-1', 'h-2', 'c-1', 'c-2'], isDone: false }],
  events: events.some(({ event }) => event === 'done') ? events : [...events, done(events.at(-1)?.t ?? 0)],
  ...given,
});

const done = (t: number): TraceEvent => ({ t, event: 'done' });
const disable = (t: number, host = 'h-1'): TraceEvent => ({ t, event: 'disable', host });
const enable = (t: number, host = 'h-1'): TraceEvent => ({ t, event: 'enable', host });
const begin = (t: number, host: string): TraceEvent => ({ t, event: 'maintenance_start', host });
const end = (t: number, host: string, given: object = {}): TraceEvent => ({
  t,
  event: 'maintenance_end',
  host,
  ...given,
});
const putOff = (t: number, instance: string, seconds?: number): TraceEvent => ({
  ...{ t, event: 'put_off', instance },
  ...(seconds !== undefined && { seconds }),
});
const notify = (t: number, instance: string): TraceEvent => ({ t, event: 'notify', instance });
const notifyAll = (t: number, instances: string[], lead: number): TraceEvent => ({
  t,
  event: 'notify',
  instances,
  lead,
});
const reply = (t: number, instance: string, given: object = {}): TraceEvent => ({
  t,
  event: 'reply',
  instance,
  ...given,
});
const move = (t: number, instance: string, given: object = {}): TraceEvent => ({
  t,
  event: 'move_start',
  instance,
  from: 'h-1',
  to: 'h-3',
  action: 'LIVE_MIGRATE',
  ...given,
});
const arrive = (t: number, instance: string): TraceEvent => ({ t, event: 'move_end', instance });
const stay = (t: number, instance: string): TraceEvent => ({ t, event: 'move_end', instance, stayed: true });
const maintain = (t: number, host: string): TraceEvent[] => [
  disable(t, host),
  begin(t, host),
  end(t + 100, host),
  enable(t + 100, host),
];
const limits = (t: number, given: Partial<TracedGroup>): TraceEvent => ({
  t,
  event: 'limits',
  as: { ...web, ...given },
});

interface Case {
  readonly situation: string;
  readonly events: readonly TraceEvent[];
  readonly trace?: Partial<Trace>;
}

const loose: Partial<Trace> = { groups: [{ ...web, maxImpactedMembers: 9 }] };
const whole: Partial<Trace> = {
  hosts: [aHost('h-1'), aHost('h-2')],
  instances: [],
  sessions: [{ hosts: ['h-1', 'h-2'], isDone: true }],
};
const both = [...maintain(0, 'h-1'), ...maintain(100, 'h-2')];

const valid: readonly Case[] = [
  { situation: 'nothing happens', events: [] },
  { situation: 'all of a session is done', events: both, trace: whole },
  {
    situation: 'a move begins at the very instant the recovery ends, after it in the file or not',
    events: [move(0, 'a'), arrive(10, 'a'), disable(10), notifyAll(20, ['b'], 20), move(40, 'b')],
  },
  {
    situation: 'a move begins within a millisecond of the recovery, the lead time and its own length',
    events: [disable(0), notify(0, 'b'), move(19.9995, 'b'), arrive(29.999, 'b'), move(59.9985, 'a')],
  },
  {
    situation: 'a reply comes before the lead time is over',
    events: [disable(0), notify(0, 'b'), reply(5, 'b'), move(5, 'b')],
  },
  {
    situation: 'one that was asked again has the new window',
    events: [disable(0), notify(0, 'b'), notify(15, 'b'), move(35, 'b')],
  },
  {
    situation: 'a refusal is followed by another question, and an answer',
    events: [
      disable(0),
      notify(0, 'b'),
      reply(5, 'b', { answer: 'NACK' }),
      notify(9, 'b'),
      reply(14, 'b'),
      move(14, 'b'),
    ],
  },
  {
    situation: 'a project is asked about all its instances, which impacts none of them',
    events: [
      notifyAll(0, ['a', 'b'], 60),
      { t: 9, event: 'reply', instances: ['a', 'b'] },
      move(9, 'b'),
      arrive(19, 'b'),
      move(49, 'a'),
    ],
  },
  {
    situation: 'silence to a project-wide question lasts as long as its window',
    events: [notifyAll(0, ['b'], 60), move(60, 'b')],
  },
  {
    situation: 'a live migration is given up and forced, which is the same member',
    events: [move(0, 'a'), stay(8, 'a'), move(8, 'a', { action: 'MIGRATE', forced: true }), arrive(20, 'a')],
  },
  {
    situation: 'an own action runs out of time, and the same answer lets it move',
    events: [disable(0), notify(0, 'b'), reply(5, 'b'), move(5, 'b'), stay(600, 'b'), move(600, 'b')],
  },
  {
    situation: 'a replacement appears in the reserved capacity, and the old one goes',
    trace: { instances: [anInstance('a', { vcpus: 4 })] },
    events: [
      move(0, 'a'),
      { t: 5, event: 'appear', as: anInstance('new', { vcpus: 4, host: 'h-3' }), replaces: 'a' },
      { t: 9, event: 'vanish', instance: 'a' },
      ...maintain(9, 'h-1'),
    ],
  },
  {
    situation: 'one that was scaled in frees capacity, and counts no more',
    events: [disable(0), notify(0, 'b'), { t: 4, event: 'vanish', instance: 'b' }, reply(5, 'b'), move(6, 'a')],
  },
  {
    situation: 'a host is given back unmaintained, and maintained later',
    events: [disable(0, 'h-2'), enable(9, 'h-2'), ...maintain(20, 'h-2')],
  },
  {
    situation: 'a move that began before its target was disabled ends',
    events: [move(0, 'a', { to: 'h-2' }), disable(5, 'h-2'), arrive(10, 'a')],
  },
  {
    situation: 'a host that was disabled beforehand is maintained and stays so',
    events: [begin(0, 'h-1'), end(100, 'h-1')],
    trace: { hosts: [aHost('h-1', { disabled: true })], instances: [], sessions: [{ hosts: ['h-1'], isDone: true }] },
  },
  {
    situation: 'the next controller begins at the very instant the one before ends',
    events: [...maintain(0, 'c-1'), ...maintain(100, 'c-2')],
  },
  {
    situation: 'a compute is maintained beside a controller',
    events: [...maintain(0, 'c-1').slice(0, 2), ...maintain(1, 'h-2').slice(0, 2), end(100, 'c-1'), end(101, 'h-2')],
  },
  {
    situation: 'a failed session is resumed and maintains its broken host again',
    events: [
      disable(0, 'h-2'),
      begin(0, 'h-2'),
      end(50, 'h-2', { broken: true }),
      begin(80, 'h-2'),
      end(180, 'h-2'),
      enable(180, 'h-2'),
    ],
  },
  {
    situation: 'two sessions ask for the same host, one after the other',
    events: [...maintain(0, 'h-2'), ...maintain(100, 'h-2')],
    trace: { sessions: [1, 2].map(() => ({ hosts: ['h-2'], isDone: true })) },
  },
  {
    situation: 'the limit is raised in mid-run',
    events: [move(0, 'a'), limits(5, { maxImpactedMembers: 2 }), notifyAll(5, ['b'], 1), move(6, 'b')],
  },
  {
    situation: 'the limit is lowered while more are impacted, and none is added',
    events: [
      limits(0, { maxImpactedMembers: 2 }),
      move(0, 'a'),
      disable(0),
      notify(1, 'b'),
      limits(2, {}),
      reply(6, 'b'),
      arrive(10, 'a'),
      move(40, 'b'),
    ],
  },
  {
    situation: 'the limit is lowered after a project was asked, which answers that it acts on its own',
    events: [
      limits(0, { maxImpactedMembers: 2 }),
      move(0, 'a'),
      disable(0),
      notify(1, 'b'),
      limits(2, {}),
      reply(6, 'b'),
      move(7, 'b', { action: 'OWN_ACTION' }),
    ],
    trace: { instances: ownAction },
  },
  {
    situation: 'fewer may share a host after a project was asked, which answers that it acts on its own',
    events: [
      disable(0),
      notify(0, 'b'),
      limits(2, { maxPerHost: 1 }),
      reply(5, 'b'),
      move(5, 'b', { action: 'OWN_ACTION' }),
    ],
    trace: { instances: [anInstance('a', { host: 'h-3' }), ...ownAction.slice(1)] },
  },
  {
    situation: 'a move is forced beside another that came when more were allowed',
    events: [
      limits(0, { maxPerHost: 1, maxImpactedMembers: 2 }),
      move(0, 'a'),
      limits(2, { maxPerHost: 2, maxImpactedMembers: 2 }),
      disable(2),
      notify(2, 'b'),
      reply(7, 'b'),
      move(7, 'b'),
      stay(8, 'a'),
      move(8, 'a', { action: 'MIGRATE', forced: true }),
    ],
  },
  {
    situation: 'a recovery that runs is not touched by a longer recovery_time',
    events: [move(0, 'a'), limits(5, { recoverySeconds: 900 }), arrive(10, 'a'), disable(40), notify(40, 'b')],
  },
  {
    situation: 'a forced move goes on by the recovery_time of its beginning',
    events: [
      move(0, 'a'),
      limits(5, { recoverySeconds: 900 }),
      stay(8, 'a'),
      move(8, 'a', { action: 'MIGRATE', forced: true }),
      arrive(20, 'a'),
      disable(50),
      notify(50, 'b'),
    ],
  },
  {
    situation: 'an answer is acted upon after its question was withdrawn',
    events: [disable(0), notify(0, 'b'), reply(5, 'b'), { t: 6, event: 'withdraw', instance: 'b' }, move(40, 'b')],
  },
  {
    situation: 'anti-affinity is set for one that has begun already',
    events: [
      disable(0),
      notify(0, 'b'),
      reply(5, 'b'),
      { t: 5, event: 'begin', instance: 'b' },
      limits(5, { maxPerHost: 1 }),
      move(6, 'b'),
    ],
    trace: { instances: [...pair, anInstance('c', { host: 'h-3' })] },
  },
  {
    situation: 'a quarter of a group that nobody stored is impacted',
    events: ['i-0', 'i-1'].map((id) => move(0, id)),
    trace: {
      groups: [{ ...web, impactShare: 0.25 }],
      instances: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => anInstance(`i-${n}`, { host: n < 2 ? 'h-1' : 'h-2', vcpus: 0 })),
    },
  },
  { situation: 'it moves at its time', events: [putOff(0, 'a', 60), move(60, 'a')] },
  { situation: 'its time is taken back', events: [putOff(0, 'a', 60), putOff(1, 'a'), move(2, 'a')] },
  {
    situation: 'a group over its anti-affinity at the start loses a member',
    events: [move(0, 'a')],
    trace: { groups: [{ ...web, maxPerHost: 1 }] },
  },
];

const broken: readonly (Case & { readonly rule: Rule })[] = [
  { rule: 'R1', situation: 'it moves unasked', events: [move(0, 'b')] },
  { rule: 'R10', situation: 'it moves before its time', events: [putOff(0, 'a', 60), move(59, 'a')] },
  {
    rule: 'R1',
    situation: 'it moves before answer and lead time',
    events: [disable(0), notify(0, 'b'), move(19.9, 'b')],
  },
  {
    rule: 'R1',
    situation: 'a question was asked again',
    events: [disable(0), notify(0, 'b'), notify(15, 'b'), move(20, 'b')],
  },
  {
    rule: 'R1',
    situation: 'it refused, and its time passed',
    events: [disable(0), notify(0, 'b'), reply(5, 'b', { answer: 'NACK' }), move(30, 'b')],
  },
  {
    rule: 'R1',
    situation: 'its question was withdrawn unanswered',
    events: [disable(0), notify(0, 'b'), { t: 6, event: 'withdraw', instance: 'b' }, move(40, 'b')],
  },
  {
    rule: 'R1',
    situation: 'one question serves two moves',
    events: [
      disable(0),
      notify(0, 'b'),
      reply(5, 'b'),
      move(5, 'b'),
      arrive(15, 'b'),
      move(60, 'b', { from: 'h-3', to: 'h-2' }),
    ],
  },
  {
    rule: 'R1',
    situation: 'it is asked while it moves',
    events: [disable(0), notify(0, 'b'), move(20, 'b'), notify(25, 'b')],
  },
  { rule: 'R1', situation: 'its project was asked about others', events: [notifyAll(0, ['a'], 0), move(9, 'b')] },
  {
    rule: 'R2',
    situation: 'a project acts on its own while another one moves, and was not asked about it alone',
    events: [notifyAll(0, ['b'], 0), move(0, 'a'), move(5, 'b', { action: 'OWN_ACTION' })],
    trace: { instances: ownAction },
  },
  { rule: 'R2', situation: 'two move at once', events: [notifyAll(0, ['b'], 0), move(0, 'a'), move(5, 'b')] },
  {
    rule: 'R2',
    situation: 'one that was asked begins though the limit was lowered meanwhile',
    events: [
      limits(0, { maxImpactedMembers: 2 }),
      move(0, 'a'),
      disable(0),
      notify(1, 'b'),
      limits(2, {}),
      reply(6, 'b'),
      move(6, 'b'),
    ],
  },
  {
    rule: 'R2',
    situation: 'the group has not recovered',
    events: [notifyAll(0, ['b'], 0), move(0, 'a'), arrive(10, 'a'), move(39.9, 'b')],
  },
  { rule: 'R2', situation: 'one is asked while another moves', events: [disable(0), move(0, 'a'), notify(1, 'b')] },
  { rule: 'R2', situation: 'one moves while another is asked', events: [disable(0), notify(0, 'b'), move(1, 'a')] },
  {
    rule: 'R2',
    situation: 'one was withdrawn and has not recovered',
    events: [disable(0), notify(0, 'b'), { t: 5, event: 'withdraw', instance: 'b' }, move(30, 'a')],
  },
  {
    rule: 'R2',
    situation: 'leave is given beyond the limit',
    events: [move(0, 'a'), { t: 1, event: 'grant', instance: 'b' }],
  },
  {
    rule: 'R2',
    situation: 'the limit was lowered before',
    events: [limits(0, { maxImpactedMembers: 2 }), move(0, 'a'), limits(1, {}), disable(1), notify(2, 'b')],
  },
  {
    rule: 'R2',
    situation: 'one that moved was deleted, and its group recovers',
    events: [move(0, 'a'), { t: 5, event: 'vanish', instance: 'a' }, disable(5), notify(30, 'b')],
  },
  {
    rule: 'R2',
    situation: 'a group that nobody stored has two impacted',
    events: [notifyAll(0, ['b'], 0), move(0, 'a'), move(1, 'b')],
    trace: { groups: [] },
  },
  {
    rule: 'R3',
    situation: 'the target is full',
    events: [move(0, 'a')],
    trace: { instances: [...pair, anInstance('c', { host: 'h-3', vcpus: 3 })] },
  },
  {
    rule: 'R3',
    situation: 'the target lacks memory',
    events: [move(0, 'a')],
    trace: { instances: [...pair, anInstance('c', { host: 'h-3', memoryMb: 4000 })] },
  },
  {
    rule: 'R3',
    situation: 'the target lacks another resource',
    events: [move(0, 'a')],
    trace: { instances: [{ ...pair[0]!, amounts: { pcpu: 1 } }, pair[1]!] },
  },
  {
    rule: 'R9',
    situation: 'the target lacks a label that the instance needs',
    events: [move(0, 'a')],
    trace: { instances: [{ ...pair[0]!, needs: ['zone-a'] }, pair[1]!] },
  },
  {
    rule: 'R3',
    situation: 'the source is held until the end of the move',
    events: [move(0, 'a'), { t: 5, event: 'appear', as: anInstance('new') }],
  },
  {
    rule: 'R3',
    situation: 'two are on their way to one host',
    events: [notifyAll(0, ['b'], 0), move(0, 'a'), move(1, 'b')],
    trace: { ...loose, hosts: [aHost('h-1'), aHost('h-3', { vcpus: 3 })] },
  },
  {
    rule: 'R4',
    situation: 'members meet',
    events: [move(0, 'a')],
    trace: { groups: [{ ...web, maxPerHost: 1 }], instances: [...pair, anInstance('c', { host: 'h-3' })] },
  },
  {
    rule: 'R4',
    situation: 'one that was asked begins though anti-affinity was set meanwhile',
    events: [disable(0), notify(0, 'b'), limits(2, { maxPerHost: 1 }), reply(5, 'b'), move(5, 'b')],
    trace: { instances: [...pair, anInstance('c', { host: 'h-3' })] },
  },
  {
    rule: 'R4',
    situation: 'a member still counts on its source',
    events: [notifyAll(0, ['c'], 0), move(0, 'c', { from: 'h-3', to: 'h-2' }), move(1, 'a')],
    trace: {
      groups: [{ ...web, maxImpactedMembers: 9, maxPerHost: 1 }],
      instances: [...pair, anInstance('c', { host: 'h-3' })],
    },
  },
  { rule: 'R5', situation: 'a host is maintained enabled', events: [begin(0, 'h-2')] },
  { rule: 'R5', situation: 'something is on the host', events: [disable(0), begin(0, 'h-1')] },
  {
    rule: 'R5',
    situation: 'something is on its way to the host',
    events: [move(0, 'a', { to: 'h-2' }), disable(1, 'h-2'), begin(1, 'h-2')],
  },
  { rule: 'R5', situation: 'a maintenance is too short', events: [disable(0, 'h-2'), begin(0, 'h-2'), end(99, 'h-2')] },
  {
    rule: 'R5',
    situation: 'a host is enabled during its maintenance',
    events: [disable(0, 'h-2'), begin(0, 'h-2'), enable(50, 'h-2')],
  },
  { rule: 'R5', situation: 'the target is disabled', events: [disable(0, 'h-2'), move(1, 'a', { to: 'h-2' })] },
  { rule: 'R5', situation: 'one is asked whose host is in use', events: [notify(0, 'b')] },
  {
    rule: 'R5',
    situation: 'an instance appears in a maintenance',
    events: [disable(0, 'h-2'), begin(0, 'h-2'), { t: 5, event: 'appear', as: anInstance('new', { host: 'h-2' }) }],
  },
  {
    rule: 'R5',
    situation: 'an instance is put into a maintenance',
    events: [disable(0, 'h-2'), begin(0, 'h-2'), { t: 5, event: 'displace', instance: 'a', to: 'h-2' }],
  },
  { rule: 'R6', situation: 'a host is never maintained', events: maintain(0, 'h-1'), trace: whole },
  { rule: 'R6', situation: 'a host is maintained twice', events: [...both, ...maintain(200, 'h-1')], trace: whole },
  { rule: 'R6', situation: 'nobody asked for its maintenance', events: maintain(0, 'h-3') },
  { rule: 'R6', situation: 'it is begun twice', events: [disable(0, 'h-2'), begin(0, 'h-2'), begin(1, 'h-2')] },
  { rule: 'R6', situation: 'a maintenance ends that did not begin', events: [end(0, 'h-2')] },
  { rule: 'R6', situation: 'a host stays disabled', events: [...both, disable(300)], trace: whole },
  {
    rule: 'R6',
    situation: 'a host that was disabled beforehand is enabled',
    events: maintain(0, 'h-1'),
    trace: { hosts: [aHost('h-1', { disabled: true })], instances: [], sessions: [{ hosts: ['h-1'], isDone: true }] },
  },
  {
    rule: 'R6',
    situation: 'a host stays in maintenance',
    events: [begin(0, 'h-1'), end(100, 'h-1'), begin(100, 'h-1')],
    trace: {
      hosts: [aHost('h-1', { disabled: true })],
      instances: [],
      sessions: [1, 2].map(() => ({ hosts: ['h-1'], isDone: true })),
    },
  },
  { rule: 'R6', situation: 'a move has no end', events: [move(0, 'a')], trace: { sessions: [] } },
  { rule: 'R6', situation: 'a move has no beginning', events: [arrive(0, 'a')] },
  { rule: 'R6', situation: 'an instance is in two moves at once', events: [move(0, 'a'), move(1, 'a', { to: 'h-2' })] },
  { rule: 'R6', situation: 'it leaves a host that it is not on', events: [move(0, 'a', { from: 'h-2' })] },
  { rule: 'R6', situation: 'it moves to where it is', events: [move(0, 'a', { to: 'h-1' })] },
  { rule: 'R6', situation: 'it moves to a controller', events: [move(0, 'a', { to: 'c-1' })] },
  { rule: 'R6', situation: 'it moves in another way', events: [move(0, 'a', { action: 'MIGRATE' })] },
  { rule: 'R6', situation: 'it is forced, and nothing was given up', events: [move(0, 'a', { forced: true })] },
  { rule: 'R6', situation: 'one moves that is gone', events: [{ t: 0, event: 'vanish', instance: 'a' }, move(1, 'a')] },
  { rule: 'R6', situation: 'an instance is unknown', events: [notify(0, 'x')] },
  { rule: 'R6', situation: 'a host is unknown', events: [disable(0, 'x')] },
  { rule: 'R6', situation: 'there is no done', events: [], trace: { events: [] } },
  { rule: 'R7', situation: 'time goes back', events: [disable(5, 'h-2'), enable(4, 'h-2')] },
  { rule: 'R7', situation: 'an event has no time', events: [disable(NaN, 'h-2'), done(0)] },
  { rule: 'R7', situation: 'a move is too short', events: [move(0, 'a'), arrive(9, 'a')] },
  { rule: 'R7', situation: 'a reply comes too early', events: [disable(0), notify(0, 'b'), reply(4, 'b')] },
  {
    rule: 'R7',
    situation: 'one replies that never does',
    events: [disable(0), notify(0, 'b'), reply(19, 'b')],
    trace: { instances: [anInstance('b', { readySeconds: null })] },
  },
  { rule: 'R7', situation: 'one replies unasked', events: [reply(9, 'b')] },
  { rule: 'R7', situation: 'an event is unknown', events: [{ t: 0, event: 'reboot' }] },
  {
    rule: 'R7',
    situation: 'a move lacks its target',
    events: [{ t: 0, event: 'move_start', instance: 'a', from: 'h-1', action: 'LIVE_MIGRATE' }],
  },
  { rule: 'R7', situation: 'a move lacks its instance', events: [{ t: 0, event: 'move_end' }] },
  { rule: 'R7', situation: 'a disable lacks its host', events: [{ t: 0, event: 'disable' }] },
  { rule: 'R7', situation: 'something follows done', events: [done(0), disable(1, 'h-2')] },
  {
    rule: 'R8',
    situation: 'two controllers are in maintenance at once',
    events: [disable(0, 'c-1'), disable(0, 'c-2'), begin(0, 'c-1'), begin(99, 'c-2')],
  },
  {
    rule: 'R8',
    situation: 'a controller is maintained while one whose maintenance failed is left disabled',
    events: [disable(0, 'c-1'), begin(0, 'c-1'), end(9, 'c-1', { broken: true }), disable(9, 'c-2'), begin(9, 'c-2')],
  },
];

describe('judging a trace', () => {
  it.each(valid)('finds nothing wrong where $situation', ({ events, trace }) => {
    expect(violationsIn(aTrace(events, trace))).toEqual([]);
  });

  it.each(broken)('finds $rule broken, and nothing else, where $situation', ({ rule, events, trace }) => {
    const rules = violationsIn(aTrace(events, trace)).map((violation) => violation.rule);
    expect([...new Set(rules)]).toEqual([rule]);
  });
});
