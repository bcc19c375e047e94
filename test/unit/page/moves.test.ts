/** The map of moves: their states at a time, the flows between places, and where everything lies. */
import fc from 'fast-check';
import type { BegunMove, Plan } from '../../../page/client/types';
import { beginningOf, groupingsOf, groupsOf } from '../../../page/fleet/groups';
import { layOut } from '../../../page/moves/flow-layout';
import { coloursOf, type Flow, flowsOf, itsOwnPlace, withFewPlaces } from '../../../page/moves/flows';
import { readMoves } from '../../../page/moves/known-moves';
import { countsAt, movesOf, stateAt } from '../../../page/moves/moves-in-time';

const at = (minutes: number): string => new Date(minutes * 60_000).toISOString();
const ms = (minutes: number): number => minutes * 60_000;

const aMove = (name: string, fields: Partial<BegunMove> = {}): BegunMove => ({
  ...{ instance_id: name, instance_name: name, project_id: 'p1', project_name: 'vepc', action: 'LIVE_MIGRATE' },
  ...{ host: 'node-1', target: 'node-2', from: at(10), to: at(12), outcome: 'done' },
  ...fields,
});

const aPlanned = (name: string, from: number, to: number): Plan['moves'][number] => {
  return { ...aMove(name, { from: at(from) }), to: at(to) };
};

describe('the moves of a session', () => {
  const moving = aMove('amf-2', { to: null, outcome: null, from: at(19) });
  const begun = [aMove('amf-1'), moving, aMove('amf-3', { outcome: 'stayed' })];
  const planned = [aPlanned('amf-2', 20, 21), aPlanned('amf-3', 15, 16), aPlanned('amf-4', 30, 31)];
  const moves = movesOf(begun, planned, ms(20));

  it('are those that have begun, and those that the plan expects, each of them once', () => {
    expect(moves.map(({ instance }) => instance)).toEqual(['amf-1', 'amf-2', 'amf-3', 'amf-3', 'amf-4']);
  });

  it.each([
    { minutes: 0, states: ['to come', 'to come', 'to come', 'to come', 'to come'] },
    { minutes: 11, states: ['moving', 'to come', 'moving', 'to come', 'to come'] },
    { minutes: 20, states: ['done', 'moving', 'stayed', 'to come', 'to come'] },
    { minutes: 60, states: ['done', 'done', 'stayed', 'done', 'done'] },
  ])('are $states after $minutes minutes', ({ minutes, states }) => {
    expect(moves.map((move) => stateAt(move, ms(minutes)))).toEqual(states);
    expect(countsAt(moves, ms(minutes)).done).toBe(states.filter((state) => state === 'done').length);
  });

  it('tell projects of the same name apart', () => {
    const of = (id: string) => aMove('amf-1', { project_id: id, project_name: 'vepc' });
    const [one, other] = movesOf([of('11111111-a'), of('22222222-b')], [], 0);
    expect([one?.tenant, other?.tenant]).toEqual(['vepc (11111111)', 'vepc (22222222)']);
  });
});

it('are all read once, and after that those that are new', async () => {
  const asked: (string | undefined)[] = [];
  const answers = [
    [aMove('amf-1'), aMove('amf-2', { from: at(11), to: null, outcome: null })],
    [aMove('amf-2', { from: at(11), to: at(14) }), aMove('amf-3', { from: at(13), to: null, outcome: null })],
    [],
  ];
  const read = readMoves((since) => {
    asked.push(since);
    return Promise.resolve(answers[asked.length - 1] ?? []);
  });
  const seen = [await read(), await read(), await read()];
  expect(asked).toEqual([undefined, at(11), at(13)]);
  expect(seen.map((moves) => moves.map(({ instance_name: name, to }) => `${name} ${to ?? 'moves'}`))).toEqual([
    [`amf-1 ${at(12)}`, 'amf-2 moves'],
    [`amf-1 ${at(12)}`, `amf-2 ${at(14)}`, 'amf-3 moves'],
    [`amf-1 ${at(12)}`, `amf-2 ${at(14)}`],
  ]);
});

const aFlow = (from: string, to: string, size: number): Flow => ({
  ...{ from, to, tenant: 'vepc', state: 'done' },
  instances: Array.from({ length: size }, (_, number) => `${from}-${number}`),
});

describe('the flows between places', () => {
  it('are moves from and to the same place, by tenant and state', () => {
    const moves = movesOf(
      [aMove('amf-10'), aMove('amf-2'), aMove('smf-1', { project_id: 'p2', project_name: 'smf', target: null })],
      [],
      ms(20),
    );
    expect(flowsOf(moves, ms(20), (host) => host)).toEqual([
      { from: 'node-1', to: 'node-2', tenant: 'vepc', state: 'done', instances: ['amf-2', 'amf-10'] },
      { from: 'node-1', to: itsOwnPlace, tenant: 'smf', state: 'done', instances: ['smf-1'] },
    ]);
    expect([...coloursOf(moves, 1)]).toEqual([['vepc', 1]]);
  });

  it('keep the names of the places with the most moves', () => {
    const flows = [aFlow('a', 'x', 5), aFlow('b', 'x', 1), aFlow('c', 'x', 3), aFlow('d', 'x', 2)];
    expect(withFewPlaces(flows, 3).map(({ from }) => from)).toEqual(['a', '2 others', 'c', '2 others']);
  });

  it('lie within their places and beside each other', () => {
    const anyPlace = fc.constantFrom('node-1', 'node-2', 'node-10', 'node-11');
    const anyFlow = fc.tuple(anyPlace, anyPlace, fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.array(anyFlow, { minLength: 1, maxLength: 30 }), (all) => {
        const { from, bands, height } = layOut(all.map(([one, other, size]) => aFlow(one, other, size)));
        for (const place of from) {
          const own = bands.filter(({ flow }) => flow.from === place.name).sort((a, b) => a.fromY - b.fromY);
          own.forEach((band, index) => {
            expect(band.fromY).toBeGreaterThanOrEqual(place.y - 1e-6);
            expect(band.fromY + band.height).toBeLessThanOrEqual(
              (own[index + 1]?.fromY ?? place.y + place.height) + 1e-6,
            );
          });
          expect(place.y + place.height).toBeLessThanOrEqual(height);
        }
      }),
    );
  });
});

it('places with names stand before the rest of a large session on the map', () => {
  const flows = [...Array(50).keys()].map((number) => aFlow(`node-${number}`, `spare-${number}`, number < 5 ? 9 : 1));
  const names = layOut(withFewPlaces(flows)).from.map(({ name }) => name);
  expect([names[0], names.at(-1)]).toEqual(['node-0', '15 others']);
});

describe('groups of hosts', () => {
  const none = () => ({});

  it.each([
    { hostname: 'node-r1-07', beginning: 'node-r1' },
    { hostname: 'compute12', beginning: 'compute' },
    { hostname: 'node-7.zone-a.example.org', beginning: 'node' },
    { hostname: '42', beginning: '42' },
  ])('have $beginning for the beginning of $hostname', ({ hostname, beginning }) => {
    expect(beginningOf(hostname)).toBe(beginning);
  });

  it('are offered only where they tell hosts apart', () => {
    const racks = ['node-r1-1', 'node-r1-2', 'node-r2-1', 'node-r2-2'];
    expect(groupingsOf(racks, none)).toEqual(['name', 'none']);
    expect(groupingsOf(['node-1', 'node-2'], none)).toEqual(['none']);
    const zone = (name: string) => ({ zone: name.endsWith('1') ? 'zone-a' : 'zone-b', arch: 'amd64', hostname: name });
    expect(groupingsOf(racks, zone)).toEqual(['label:zone', 'name', 'none']);
    const power = (name: string) => (name.endsWith('r2-2') ? {} : { power: 'left' });
    expect(groupingsOf(racks, power)).toEqual(['name', 'label:power', 'none']);
    expect(
      groupsOf([...racks.map((hostname) => ({ hostname }))], 'label:power', power).map(({ name }) => name),
    ).toEqual(['left', 'without power']);
  });

  it('are in natural order, as their hosts are', () => {
    const hosts = ['r10-1', 'r2-10', 'r2-9'].map((hostname) => ({ hostname }));
    expect(groupsOf(hosts, 'name', none).map(({ name, hosts: all }) => [name, all.map((one) => one.hostname)])).toEqual(
      [
        ['r2', ['r2-9', 'r2-10']],
        ['r10', ['r10-1']],
      ],
    );
  });
});
