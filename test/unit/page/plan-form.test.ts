/** The form of a new session: hosts to pick, earlier requests, templates, and what a change does to the plan. */
import { hashOf, parseRoute } from '../../../page/address';
import { NoAnswer, Refusal } from '../../../page/client/problem';
import { type Draft, emptyDraft, requestOf } from '../../../page/plan/draft';
import { draftFrom } from '../../../page/plan/draft-from';
import { changeInWords, partInWords } from '../../../page/plan/draft-in-words';
import { type HostChoice, hostsMatching, pickedAfter, remarkOn, selectedBy } from '../../../page/plan/host-choices';
import { hasInput } from '../../../page/plan/kept-draft';
import { faultsWithin, messagesAt } from '../../../page/plan/messages-at';
import { againAfterFailure, againAfterPlan } from '../../../page/plan/plan-again';
import { changesBetween } from '../../../page/plan/plan-changes';
import { templatesIn, withoutTemplate, withTemplate } from '../../../page/plan/templates';

const sessionId = '5e550000-0000-4000-8000-000000000001';

const aChoice = (hostname: string, given: Partial<HostChoice> = {}): HostChoice => ({
  ...{ hostname, type: 'compute', session_id: null, zone: null, labels: {}, disabled: false, disabled_because: null },
  ...{ instance_count: 3, seems_gone: null, ...given },
});

describe('the hosts to pick', () => {
  const hosts = [
    aChoice('rack1-a', { zone: 'east' }),
    aChoice('rack1-b', { zone: 'west', disabled: true }),
    aChoice('rack2-a', { zone: 'east', session_id: sessionId }),
    aChoice('control', { type: 'controller' }),
  ];

  it.each([
    { text: '', found: ['rack1-a', 'rack1-b', 'rack2-a', 'control'] },
    { text: 'RACK1', found: ['rack1-a', 'rack1-b'] },
    { text: 'rack?-a', found: ['rack1-a', 'rack2-a'] },
    { text: '*-b', found: ['rack1-b'] },
    { text: 'east rack1', found: ['rack1-a'] },
    { text: 'controller', found: ['control'] },
    { text: 'disabled', found: ['rack1-b'] },
    { text: 'eas', found: [] },
  ])('that match “$text”', ({ text, found }) => {
    expect(hostsMatching(hosts, text).map(({ hostname }) => hostname)).toEqual(found);
  });

  it.each([
    { select: 'zone=east', except: [], selected: ['rack1-a', 'rack2-a'] },
    { select: ' zone in (east,west) ', except: ['rack2-a'], selected: ['rack1-a', 'rack1-b'] },
    { select: 'zone=north', except: [], selected: [] },
    { select: 'zone in', except: [], selected: undefined },
  ])('$select selects $selected', ({ select, except, selected }) => {
    const labelled = hosts.map((one) => ({ ...one, labels: one.zone === null ? {} : { zone: one.zone } }));
    const gone = aChoice('rack3-a', { labels: { zone: 'east' }, seems_gone: 'it has never reported' });
    expect(selectedBy(select, except, [...labelled, gone])).toEqual(selected);
  });

  it.each([
    { situation: 'a click', click: 'rack1-b', picked: [], last: undefined, hasShift: false, after: ['rack1-b'] },
    { situation: 'a second click', click: 'rack1-a', picked: ['rack1-a'], last: 'rack1-a', hasShift: false, after: [] },
    {
      ...{ situation: 'a click with shift, past a host of a session', click: 'control', picked: ['rack1-a'] },
      ...{ last: 'rack1-a', hasShift: true, after: ['rack1-a', 'rack1-b', 'control'] },
    },
    {
      ...{ situation: 'a click with shift on a picked host above', click: 'rack1-a', picked: ['rack1-a', 'rack1-b'] },
      ...{ last: 'control', hasShift: true, after: [] },
    },
    { situation: 'shift at first', click: 'control', picked: [], last: undefined, hasShift: true, after: ['control'] },
    { situation: 'a click on a host of a session', click: 'rack2-a', picked: [], last: '', hasShift: false, after: [] },
  ])('after $situation', ({ click, picked, last, hasShift, after }) => {
    expect([...pickedAfter(click, hasShift, { shown: hosts, picked: new Set(picked), last })]).toEqual(after);
  });

  it.each([
    { host: aChoice('a'), remark: '' },
    { host: aChoice('a', { session_id: sessionId }), remark: 'in session 5e550000' },
    { host: aChoice('a', { seems_gone: 'no report' }), remark: 'seems to be gone' },
    { host: aChoice('a', { disabled: true }), remark: 'disabled' },
    { host: aChoice('a', { disabled: true, disabled_because: 'a fan' }), remark: 'disabled: a fan' },
  ])('have the remark “$remark”', ({ host, remark }) => {
    expect(remarkOn(host)).toBe(remark);
  });
});

describe('an earlier request', () => {
  const nowMs = Date.parse('2026-06-01T00:00:00Z');
  const full: Draft = {
    ...{ ...emptyDraft, name: 'kernel', reason: 'a hole', hosts: 'a b', maxParallel: '2', hostStart: '900' },
    ...{ silence: 'pause', lastNack: 'fail', canaryHosts: '1', canaryWait: '60', ignoreFreezes: 'urgent' },
    ...{ windows: [{ days: ['mon'], from: '22:00', to: '06:00', time_zone: 'UTC' }], postponeSeconds: '60' },
    ...{ actions: [{ plugin: 'dummy', type: 'host', metadata: '{"seconds":1}' }], metadata: '{"openstack":"2026.1"}' },
    ...{ downloads: 'https://x/y.tar', deadline: '2040-01-01T10:00', startAt: '2039-01-01T10:00' },
  };

  it.each([
    { what: 'with everything', draft: full },
    { what: 'for all hosts', draft: { ...emptyDraft, allHosts: true } },
    { what: 'that is as small as can be', draft: { ...emptyDraft, hosts: 'a' } },
  ])('$what fills in a form that makes the same request', ({ draft }) => {
    expect(requestOf(draftFrom(requestOf(draft), nowMs))).toEqual(requestOf(draft));
  });

  it('that has begun begins now, whichever form its time has', () => {
    const request = requestOf({ ...emptyDraft, hosts: 'a' });
    for (const at of ['2026-05-31 23:59:59', '2026-05-31T23:59:59Z'])
      expect(draftFrom({ ...request, maintenance_at: at }, nowMs).startAt).toBe('');
  });
});

describe('templates', () => {
  it('are kept by name, without times and without addresses that may hold a secret', () => {
    const downloads = 'https://x/plain.tar https://x/signed.tar?key=secret https://user:word@x/y.tar';
    const draft: Draft = { ...emptyDraft, downloads, deadline: '2040-01-01T10:00', startAt: '2039-01-01T10:00' };
    const kept = withTemplate(withTemplate([], { name: 'b', draft }), { name: 'a', draft: emptyDraft });
    expect(kept.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(kept[1]?.draft).toEqual({ ...emptyDraft, downloads: 'https://x/plain.tar' });
    const replaced = withTemplate(kept, { name: 'b', draft: emptyDraft });
    expect(replaced.map(({ draft: one }) => one)).toEqual([emptyDraft, emptyDraft]);
    expect(withoutTemplate(replaced, 'a').map(({ name }) => name)).toEqual(['b']);
  });

  it('have no time and no date in any other field either', () => {
    const nights = { from: '22:00', to: '06:00', time_zone: 'UTC' };
    const draft: Draft = {
      ...{ ...emptyDraft, postponeUntil: '2040-01-01T10:00', ownerHours: 'until', ownerHoursUntil: '2040-01-01T10:00' },
      windows: [
        { days: ['mon'], except: ['2040-01-02'], ...nights },
        { dates: ['2040-01-03'], ...nights },
      ],
    };
    expect(withTemplate([], { name: 'a', draft })[0]?.draft).toEqual({
      ...emptyDraft,
      windows: [
        { days: ['mon'], ...nights },
        { dates: [], ...nights },
      ],
    });
    const kept = withTemplate([], { name: 'a', draft: { ...emptyDraft, ownerHours: 'ignore' } });
    expect(kept[0]?.draft.ownerHours).toBe('ignore');
  });

  it.each([
    { stored: null, found: [] },
    { stored: '{', found: [] },
    { stored: '{"name":"a"}', found: [] },
    { stored: '[7,{"name":"a","draft":{"hosts":"x"}}]', found: [{ name: 'a', draft: { ...emptyDraft, hosts: 'x' } }] },
  ])('are read from $stored', ({ stored, found }) => {
    expect(templatesIn(stored)).toEqual(found);
  });
});

it.each([
  { form: 'as it is at first', draft: emptyDraft, has: false },
  { form: 'with a name', draft: { ...emptyDraft, name: 'kernel' }, has: true },
  { form: 'for all hosts', draft: { ...emptyDraft, allHosts: true }, has: true },
])('a form $form has input: $has', ({ draft, has }) => {
  expect(hasInput(draft)).toBe(has);
});

describe('a plan', () => {
  const refusal = (status: number, code: string, retryAfter?: number) =>
    new Refusal({ type: '', title: '', status, code, detail: '', errors: [], hint: '' }, retryAfter);
  const noAnswer = (name: string) =>
    new NoAnswer('the API does not answer', { cause: Object.assign(new Error(''), { name }) });

  it.each<{ failure: string; error: unknown; againMs: number | undefined }>([
    { failure: 'no answer', error: noAnswer('TypeError'), againMs: 3_000 },
    { failure: 'the time-out of the page', error: noAnswer('TimeoutError'), againMs: undefined },
    { failure: 'a planner that is busy', error: refusal(503, 'PLANNER_BUSY', 5), againMs: 5_000 },
    { failure: 'a short wait', error: refusal(503, 'PLANNER_BUSY', 1), againMs: 3_000 },
    { failure: 'too many requests', error: refusal(429, 'TOO_MANY', 60), againMs: 60_000 },
    { failure: 'a failure without a wait', error: refusal(500, 'INTERNAL'), againMs: 3_000 },
    { failure: 'a plan that took too long', error: refusal(503, 'PLAN_TOOK_TOO_LONG', 60), againMs: undefined },
    { failure: 'a field that is wrong', error: refusal(400, 'INVALID'), againMs: undefined },
  ])('is asked for again $againMs ms after $failure', ({ error, againMs }) => {
    expect(againAfterFailure(error)).toBe(againMs);
  });

  it('is old after two minutes, and later where it took long', () => {
    expect(againAfterPlan(500)).toBe(120_000);
    expect(againAfterPlan(30_000)).toBe(300_000);
  });
});

describe('a change of the form', () => {
  type Compared = Parameters<typeof changesBetween>[0];
  const aBlocker = (subject: string, severity: 'stops' | 'note' = 'stops') => ({
    kind: 'no_capacity' as const,
    subject,
    severity,
    because: `${subject} has no place`,
  });
  const endIn = (minutes: number, nowMinute = 0): Pick<Compared, 'ends_at' | 'seconds_left'> => {
    const at = new Date((nowMinute + minutes) * 60_000).toISOString();
    const seconds = minutes * 60;
    return {
      ends_at: { earliest: at, expected: at, latest: at },
      seconds_left: { earliest: seconds, expected: seconds, latest: seconds },
    };
  };
  const aPlan = (given: Partial<Compared> = {}): Compared => ({
    ...{ completes: true, move_count: 0, hosts: [], questions: [], blockers: [], ...endIn(60), ...given },
  });

  it.each<{ does: string; before?: Partial<Compared>; after: Partial<Compared>; words: string[] }>([
    { does: 'does nothing', after: {}, words: [] },
    { does: 'does nothing, a minute later', after: endIn(60, 1), words: [] },
    { does: 'does nothing to a session with a fixed start, a minute later', after: endIn(59, 1), words: [] },
    { does: 'makes it longer', after: endIn(72), words: ['ends 12m later'] },
    { does: 'makes it shorter', after: endIn(50), words: ['ends 10m earlier'] },
    { does: 'lets it not end', after: { completes: false }, words: ['would not end any more'] },
    {
      ...{ does: 'lets it end', before: { ends_at: null, seconds_left: null }, after: {} },
      words: ['comes to its end now'],
    },
    {
      does: 'adds hosts, moves and questions',
      after: { hosts: [1, 2], move_count: 3, questions: [1] },
      words: ['2 hosts more', '3 moves more', '1 question more'],
    },
    { does: 'takes a move away', before: { move_count: 2 }, after: { move_count: 1 }, words: ['1 move fewer'] },
    {
      does: 'takes one blocker away and brings another',
      before: { blockers: [aBlocker('a'), aBlocker('b')] },
      after: { blockers: [aBlocker('b'), aBlocker('c', 'note')] },
      words: ['gone: a has no place', 'new: c has no place'],
    },
    {
      does: 'brings many blockers',
      after: { blockers: ['a', 'b', 'c', 'd'].map((one) => aBlocker(one)) },
      words: ['4 blockers new'],
    },
  ])('that $does', ({ before = {}, after, words }) => {
    expect(changesBetween(aPlan(before), aPlan(after)).map((one) => one.words)).toEqual(words);
  });
});

describe('a refusal', () => {
  const faults = [
    { pointer: '/hosts/0', message: 'is no host' },
    { pointer: '/hosts/1', message: 'is no host' },
    { pointer: '/hosts_by', message: 'is not known' },
    { pointer: '/deadline', message: 'is past' },
  ];

  it('stands at its field, once', () => {
    expect(messagesAt(faults, '/hosts')).toEqual(['is no host']);
    expect(messagesAt(faults, '/name')).toEqual([]);
    expect(faultsWithin(faults, ['/deadline', '/windows'])).toEqual([faults[3]]);
  });
});

it.each([
  { part: 'plugins' as const, given: {}, words: { says: 'none: hosts are drained and enabled again', isSet: false } },
  {
    ...{ part: 'plugins' as const, words: { says: 'dummy, not named yet', isSet: true } },
    given: { actions: ['dummy', ' '].map((plugin) => ({ plugin, type: 'host' as const, metadata: '' })) },
  },
  {
    ...{ part: 'limits' as const, words: { says: '2 at once, 1 may fail', isSet: true } },
    given: { maxParallel: '2', maxFailed: '1' },
  },
  { part: 'canary' as const, given: { canaryHosts: '2' }, words: { says: '2 first', isSet: true } },
  { part: 'ownerHours' as const, given: {}, words: { says: 'kept', isSet: false } },
  { part: 'ownerHours' as const, given: { ownerHours: 'ignore' as const }, words: { says: 'ignored', isSet: true } },
  {
    ...{ part: 'downloads' as const, words: { says: '2 packages, metadata', isSet: true } },
    given: { downloads: 'a b', metadata: '{}' },
  },
])('the folded part $part says “$words.says”', ({ part, given, words }) => {
  expect(partInWords(part, { ...emptyDraft, ...given })).toEqual(words);
});

it('an address fills the form in again from a session', () => {
  expect(parseRoute(`#/new/${sessionId}`)).toEqual({ name: 'new', again: sessionId });
  expect(hashOf({ name: 'new', again: sessionId })).toBe(`#/new/${sessionId}`);
  expect(parseRoute('#/new')).toEqual({ name: 'new' });
  expect(parseRoute('#/new/a/b')).toEqual({ name: 'nowhere' });
});

it.each([
  { change: {}, words: /^Change what you like/u },
  { change: { deadline: null }, words: /^You change the deadline, and leave/u },
  {
    change: { max_parallel_hosts: 2, canary: null, windows: [] },
    words: /^You change the number of hosts under work at once, the canary and the maintenance windows, and leave/u,
  },
])('a change of $change is told in the words of the form', ({ change, words }) => {
  expect(changeInWords(change)).toMatch(words);
});
