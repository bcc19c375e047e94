/** Where the scheduler of Kubernetes 1.37 was seen to put the next pod, or to leave it Pending, in these very cases. */
import type { Spread } from '../../../../../rules/cloud/spread';
import { spreadAgainst } from '../../../../../rules/decisions/model/spread-counts';

const zones = new Map(['a1', 'a2', 'b1', 'b2', 'c1'].map((name) => [name, name.charAt(0)]));
const hosts = new Map([...zones.keys()].map((name) => [name, name]));

const aSpread = (fields: Partial<Spread> = {}): Spread => {
  return { key: 'spread', name: 'spread', maxSkew: 1, partOf: hosts, minParts: 1, ...fields };
};

interface Situation {
  /** The number of members on each host, without the one that leaves. */
  readonly others: Readonly<Record<string, number>>;
  readonly spreads?: readonly Spread[];
  /** Hosts that take no instances, beside the one that it leaves. */
  readonly out?: readonly string[];
  /** Places that were found for others, by their host. */
  readonly placed?: Readonly<Record<string, string>>;
}

const placesFor = (from: string, { others, spreads = [aSpread()], out = [], placed = {} }: Situation): string => {
  const members = Object.entries(others).flatMap(([host, count]) =>
    Array.from({ length: count }, (_, at) => ({ id: `${host}-${String(at)}`, host })),
  );
  const leaving = { id: 'leaving', host: from, spreads };
  const known = { spreadMembers: () => [...members, leaving] };
  const places = {
    placeOf: (id: string) => (id.endsWith('-0') ? placed[id.slice(0, -2)] : undefined),
    isTarget: (hostname: string) => !out.includes(hostname),
  };
  const against = spreadAgainst(known, places, leaving);
  const targets = [...hosts.keys()].filter((name) => name !== from && places.isTarget(name));
  return targets.filter((name) => against(name) === undefined).join(' ');
};

it.each<Situation & { situation: string; from: string; to: string }>([
  {
    situation: 'over hosts, one on each: it comes back with its own',
    ...{ from: 'a1', others: { a2: 1, b1: 1, b2: 1, c1: 1 }, to: '' },
  },
  {
    situation: 'over hosts, fewer members than hosts: to those with none',
    ...{ from: 'a1', others: { a2: 1, b1: 1 }, to: 'b2 c1' },
  },
  {
    situation: 'over hosts, the first of two: to those with one',
    ...{ from: 'a1', others: { a1: 1, a2: 2, b1: 1, b2: 1, c1: 2 }, to: 'b1 b2' },
  },
  {
    situation: 'over hosts, the last of two: nowhere, since its host is a part with none',
    ...{ from: 'a1', others: { a2: 2, b1: 2, b2: 1, c1: 2 }, to: '' },
  },
  {
    situation: 'over hosts, two apart: as many as two on each',
    ...{ from: 'a1', others: { a2: 1, b1: 2, b2: 1, c1: 2 }, spreads: [aSpread({ maxSkew: 2 })], to: 'a2 b2' },
  },
  {
    situation: 'over hosts in use alone: they level out',
    ...{
      from: 'a1',
      others: { a2: 1, b1: 1, b2: 1, c1: 2 },
      spreads: [aSpread({ onlyTargets: true })],
      to: 'a2 b1 b2',
    },
  },
  {
    situation: 'over hosts in use alone, another one out: it does not count',
    ...{ from: 'a1', others: { a2: 1, b1: 1, b2: 1 }, out: ['c1'] },
    ...{ spreads: [aSpread({ onlyTargets: true })], to: 'a2 b1 b2' },
  },
  {
    situation: 'over hosts, another one out and empty: it counts as a part with none',
    ...{ from: 'a1', others: { a2: 1, b1: 1, b2: 1 }, out: ['c1'], to: '' },
  },
  {
    situation: 'over hosts, a place found for another member: counted there, and no longer on its host',
    ...{ from: 'a1', others: { a1: 1, a2: 1, b1: 1, b2: 1, c1: 1 }, placed: { a2: 'b1' }, to: 'a2' },
  },
  {
    situation: 'over zones, all even: to its own',
    ...{ from: 'a1', others: { a1: 1, b1: 1, b2: 1, c1: 2 }, spreads: [aSpread({ partOf: zones })], to: 'a2' },
  },
  {
    situation: 'over zones, from the fullest: to any',
    ...{ from: 'a1', others: { a1: 1, a2: 1, b1: 2, c1: 2 }, spreads: [aSpread({ partOf: zones })], to: 'a2 b1 b2 c1' },
  },
  {
    situation: 'over zones, its only host leaves the zone empty: nowhere',
    ...{ from: 'c1', others: { a1: 1, b1: 1 }, spreads: [aSpread({ partOf: zones })], to: '' },
  },
  {
    situation: 'over zones and hosts: where both let it go',
    ...{ from: 'a1', others: { b1: 1, c1: 1 }, spreads: [aSpread({ partOf: zones }), aSpread()], to: 'a2' },
  },
  {
    situation: 'over fewer parts than wanted: none beside one',
    ...{
      from: 'a1',
      others: { a2: 1, b1: 1, b2: 1, c1: 1 },
      spreads: [aSpread({ partOf: zones, minParts: 4 })],
      to: '',
    },
  },
  {
    situation: 'a host in no part takes none',
    ...{ from: 'a1', others: {}, spreads: [aSpread({ partOf: new Map([['b1', 'b']]) })], to: 'b1' },
  },
])('$situation', ({ from, to, ...situation }) => {
  expect(placesFor(from, situation)).toBe(to);
});
