/** The canary of a session: which hosts come first, when the session goes on, and what it waits for. */
import type { HostPhase } from '../../../../rules/decisions/fleet/fleet';
import {
  type Canary,
  type CanaryStage,
  canaryStage,
  chooseCanary,
  isCanaryAgain,
} from '../../../../rules/steering/canary';
import { aFleet, aHost, aHostIn, anInstance, aSessionId } from '../../../builders/a-fleet';

const nowMs = 100_000;
const one: Canary = { hosts: 1, then: 'continue', waitSeconds: 0 };

interface Row {
  readonly situation: string;
  readonly canary?: Canary | null;
  readonly own: Readonly<Record<string, HostPhase>>;
  readonly endedAtMs?: number;
  readonly stage: CanaryStage;
}

const first = (names: string[], held: string[]): CanaryStage => ({ kind: 'first', names, held });

it.each<Row>([
  { situation: 'there is none', canary: null, own: { a: 'waiting' }, stage: { kind: 'none' } },
  { situation: 'nothing is begun', own: { a: 'waiting', b: 'waiting' }, stage: first(['a'], ['b']) },
  { situation: 'it is under work', own: { a: 'waiting', b: 'emptying' }, stage: first(['b'], ['a']) },
  { situation: 'it was given back', own: { a: 'waiting', b: 'waiting', c: 'skipped' }, stage: first(['a'], ['b']) },
  {
    situation: 'certain hosts are meant',
    canary: { ...one, hosts: ['b', 'c'] },
    own: { a: 'waiting', b: 'maintained', c: 'waiting' },
    stage: first(['b', 'c'], ['a']),
  },
  { situation: 'it is done', own: { a: 'waiting', b: 'maintained' }, stage: { kind: 'ended' } },
  {
    situation: 'it is done, and the resume is waited for',
    canary: { ...one, then: 'resume' },
    own: { a: 'waiting', b: 'maintained' },
    stage: { kind: 'ended', pauseBecause: 'the canary is done (b); resume to go on' },
  },
  {
    situation: 'it has failed',
    own: { a: 'waiting', b: 'set_aside' },
    stage: { kind: 'ended', pauseBecause: 'the canary has failed on b; resume to go on' },
  },
  {
    situation: 'all hosts are canaries',
    canary: { ...one, hosts: 2 },
    own: { a: 'maintained', b: 'maintained' },
    stage: { kind: 'none' },
  },
  {
    situation: 'the certain hosts were skipped',
    canary: { ...one, hosts: ['b'] },
    own: { a: 'waiting', b: 'skipped' },
    stage: { kind: 'ended' },
  },
  {
    situation: 'the wait after it is not over',
    canary: { ...one, waitSeconds: 60 },
    own: { a: 'waiting', b: 'maintained' },
    endedAtMs: nowMs - 59_000,
    stage: { kind: 'waiting', untilMs: nowMs + 1_000 },
  },
  {
    situation: 'the wait after it is over',
    canary: { ...one, waitSeconds: 60 },
    own: { a: 'waiting', b: 'maintained' },
    endedAtMs: nowMs - 60_000,
    stage: { kind: 'none' },
  },
  {
    situation: 'it was resumed',
    canary: { ...one, then: 'resume' },
    own: { a: 'waiting' },
    endedAtMs: 1,
    stage: { kind: 'none' },
  },
])('where $situation', ({ canary = one, own, endedAtMs, stage }) => {
  const hosts = Object.entries(own).map(([name, phase]) => ({ name, phase }));
  const waiting = hosts.filter(({ phase }) => phase === 'waiting').map(({ name }) => name);
  const choose = (count: number) => waiting.slice(0, count);
  const view = { canary, nowMs, own: hosts, choose, ...(endedAtMs !== undefined && { endedAtMs }) };
  expect(canaryStage(view)).toEqual(stage);
});

it('chooses a host that can be drained, and before that one that an admin asked for', () => {
  const on = (host: string, id: string, vcpus: number) => anInstance({ id, host, vcpus, groupKey: id });
  const hosts = [
    aHostIn('waiting', 'a', { vcpus: 64 }),
    aHostIn('waiting', 'b'),
    aHostIn('waiting', 'c'),
    aHost({ name: 'spare' }),
  ];
  const instances = [on('a', '1', 40), on('b', '2', 4), on('b', '3', 4), on('c', '4', 4), on('c', '5', 8)];
  const choose = (fleet = aFleet({ hosts, instances })) => chooseCanary(fleet, { sessionId: aSessionId, nowMs });
  expect(choose()(1)).toEqual(['b']);
  expect(choose()(5)).toEqual(['b', 'a', 'c']);
  const asked = hosts.map((host) => (host.name === 'c' ? aHostIn('waiting', 'c', { work: { firstAtMs: 1 } }) : host));
  expect(choose(aFleet({ hosts: asked, instances }))(1)).toEqual(['c']);
});

describe('a host that is retried', () => {
  const endedAtMs = 1_000;
  it.each([
    { situation: 'was one', name: 'a', opened: { a: 1 }, again: true },
    { situation: 'was none of them', name: 'b', opened: { a: 1 }, again: false },
    { situation: 'was one, and others have begun since', name: 'a', opened: { a: 1, b: endedAtMs + 1 }, again: false },
    { situation: 'was meant by name', hosts: ['b'], name: 'b', opened: {}, again: true },
    { situation: 'was not meant by name', hosts: ['b'], name: 'a', opened: { a: 1 }, again: false },
    { situation: 'was one of none', canary: null, name: 'a', opened: { a: 1 }, again: false },
    { situation: 'is one of a canary that is not over', over: undefined, name: 'a', opened: { a: 1 }, again: false },
  ])('that $situation is a canary again: $again', ({ name, opened, again, hosts = 1, ...rest }) => {
    const { canary, over: endedAt } = { canary: { ...one, hosts }, over: endedAtMs, ...rest };
    const own = Object.entries({ a: undefined, b: undefined, ...opened }).map(([host, drainStartedAtMs]) => ({
      name: host,
      ...(drainStartedAtMs !== undefined && { drainStartedAtMs }),
    }));
    const view = { canary, own, ...(endedAt !== undefined && { endedAtMs: endedAt }) };
    expect(isCanaryAgain(name, view)).toBe(again);
  });
});
