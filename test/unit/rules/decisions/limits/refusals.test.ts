/** The time for which a host that refused an instance is not tried again for it. */
import { type NotedRefusal, refusalsThatHold, thereOn } from '../../../../../rules/decisions/limits/refusals';
import { aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';

const nowMs = 10_000_000;
const host = aHostIn('waiting', 'host-2');
const there = [anInstance({ id: 'b', host: 'host-2' }), anInstance({ id: 'c', host: 'host-2' })];

const refused = (given: Partial<NotedRefusal> = {}): NotedRefusal => ({
  refusalClass: 'like a',
  target: 'host-2',
  reason: 'no valid host',
  refusedAtMs: nowMs - 1_000,
  hostThere: thereOn(host),
  instancesThere: ['b', 'c'],
  ...given,
});

describe('a refusal', () => {
  it.each([
    { situation: 'nothing has changed there', hosts: [host], instances: there },
    {
      situation: 'one more instance has come',
      hosts: [host],
      instances: [...there, anInstance({ id: 'd', host: 'host-2' })],
    },
    {
      situation: 'something changes elsewhere',
      hosts: [host, aHost({ name: 'host-3', enabled: false })],
      instances: there,
    },
  ])('holds while $situation', ({ hosts, instances }) => {
    expect(refusalsThatHold([refused()], { hosts, instances }, nowMs)).toEqual([
      { refusalClass: 'like a', target: 'host-2', reason: 'no valid host' },
    ]);
  });

  it.each([
    { situation: 'an instance has left', hosts: [host], instances: there.slice(1) },
    { situation: 'the host has been maintained', hosts: [aHostIn('maintained', 'host-2')], instances: there },
    {
      situation: 'the host has become larger',
      hosts: [{ ...host, amounts: { ...host.amounts, VCPU: 32 } }],
      instances: there,
    },
    { situation: 'the host offers something else', hosts: [{ ...host, offers: 'zone b' }], instances: there },
    { situation: 'the host has been disabled', hosts: [{ ...host, enabled: false }], instances: there },
    { situation: 'the host is not listed any more', hosts: [], instances: there },
  ])('is over when $situation', ({ hosts, instances }) => {
    expect(refusalsThatHold([refused()], { hosts, instances }, nowMs)).toEqual([]);
  });

  it.each([
    { situation: 'before it passes by itself', given: { passesAtMs: nowMs + 1 }, count: 1 },
    { situation: 'when it passes by itself', given: { passesAtMs: nowMs }, count: 0 },
    { situation: 'hours later, where nothing has changed', given: { refusedAtMs: 0 }, count: 1 },
  ])('holds $count times $situation', ({ given, count }) => {
    expect(refusalsThatHold([refused(given)], { hosts: [host], instances: there }, nowMs)).toHaveLength(count);
  });
});
