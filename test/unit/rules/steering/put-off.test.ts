import { FleetModel } from '../../../../rules/decisions/model/fleet-model';
import { lookAtPutOff } from '../../../../rules/steering/put-off';
import { aFleet, aHostIn, anInstance, aSessionId } from '../../../builders/a-fleet';

const minute = 60_000;

interface There {
  readonly id: string;
  readonly host: string;
  /** Minutes from now. */
  readonly inMinutes?: number;
}

const look = (hosts: Parameters<typeof aHostIn>[], there: readonly There[]) => {
  const instances = there.map(({ id, host, inMinutes }) =>
    anInstance({ id, host, ...(inMinutes !== undefined && { ownerTimes: { notBeforeMs: inMinutes * minute } }) }),
  );
  const model = new FleetModel(aFleet({ hosts: hosts.map((one) => aHostIn(...one)), instances }), 0);
  const { held, giveBack, lookAgainMs } = lookAtPutOff({
    ...{ model, own: model.hostsOf(aSessionId), nowMs: 0, replySeconds: 60 },
  });
  return { held: held.map(({ who, untilMs = 0 }) => `${who} ${untilMs / minute}`), giveBack, lookAgainMs };
};

const waiting = (name: string): Parameters<typeof aHostIn> => ['waiting', name];
const drained: Parameters<typeof aHostIn> = ['emptying', 'h'];

describe('a host that waits', () => {
  it.each<{ is: string; there: There[]; held: string[] }>([
    { is: 'free without times', there: [{ id: 'a', host: 'h' }], held: [] },
    {
      is: 'held back until its last instance is released',
      there: [
        { id: 'a', host: 'h', inMinutes: 30 },
        { id: 'b', host: 'h', inMinutes: 60 },
      ],
      held: ['h 60'],
    },
    { is: 'free once its times have come', there: [{ id: 'a', host: 'h', inMinutes: -1 }], held: [] },
  ])('is $is', ({ there, held }) => {
    expect(look([waiting('h')], there).held).toEqual(held);
  });

  it('leaves others free', () => {
    expect(
      look(
        [waiting('h'), waiting('i')],
        [
          { id: 'a', host: 'h', inMinutes: 60 },
          { id: 'b', host: 'i' },
        ],
      ).held,
    ).toEqual(['h 60']);
  });

  it('is begun so early that others may leave it before', () => {
    const alone = look([waiting('h')], [{ id: 'a', host: 'h', inMinutes: 60 }]);
    const beside = look(
      [waiting('h')],
      [
        { id: 'a', host: 'h', inMinutes: 60 },
        { id: 'b', host: 'h' },
      ],
    );
    expect(alone.lookAgainMs).toBe(60 * minute);
    expect(beside.lookAgainMs).toBeLessThan(60 * minute);
    expect(beside.lookAgainMs).toBeGreaterThanOrEqual(45 * minute);
  });
});

describe('a host in hand', () => {
  it.each([
    { inMinutes: 15, giveBack: [] },
    { inMinutes: 16, giveBack: ['h'] },
  ])('whose owner wants $inMinutes minutes is given back: $giveBack', ({ inMinutes, giveBack }) => {
    expect(look([drained], [{ id: 'a', host: 'h', inMinutes }])).toMatchObject({ held: [], giveBack });
  });

  it('is looked at again when the first instance is released', () => {
    const there = [
      { id: 'a', host: 'h', inMinutes: 5 },
      { id: 'b', host: 'h', inMinutes: 9 },
    ];
    expect(look([drained], there).lookAgainMs).toBe(5 * minute);
  });
});

describe('a host with instances whose hours differ', () => {
  const hours = (...pairs: readonly (readonly [number, number])[]) =>
    pairs.map(([from, to]) => ({ fromMs: from * minute, toMs: to * minute }));
  const lookAt = (phase: 'waiting' | 'emptying', owners: Readonly<Record<string, ReturnType<typeof hours>>>) => {
    const instances = Object.entries(owners).map(([id, own]) =>
      anInstance({ id, host: 'h', ownerTimes: { hours: own } }),
    );
    const model = new FleetModel(aFleet({ hosts: [aHostIn(phase, 'h')], instances }), 0);
    const { held, giveBack, lookAgainMs } = lookAtPutOff({
      ...{ model, own: model.hostsOf(aSessionId), nowMs: 0, replySeconds: 60 },
    });
    return { held: held.map(({ untilMs }) => untilMs && untilMs / minute), giveBack, again: lookAgainMs / minute };
  };

  it.each([
    {
      is: 'waits for the time when they meet',
      owners: { a: hours([0, 60], [500, 600]), b: hours([550, 600]) },
      held: [550],
    },
    { is: 'is drained in parts where they never meet', owners: { a: hours([0, 60]), b: hours([500, 600]) }, held: [] },
    { is: 'waits for the first part', owners: { a: hours([40, 60]), b: hours([500, 600]) }, held: [40] },
    { is: 'is held where one never may leave', owners: { a: hours([0, 60]), b: hours() }, held: [undefined] },
  ])('$is', ({ owners, held }) => {
    expect(lookAt('waiting', owners).held).toEqual(held);
  });

  it('is given back once the first part has left, for the second', () => {
    expect(lookAt('emptying', { a: hours([0, 60]), b: hours([500, 600]) })).toMatchObject({ giveBack: [], again: 500 });
    expect(lookAt('emptying', { b: hours([500, 600]) })).toMatchObject({ giveBack: ['h'] });
  });

  it('is begun early enough for those who must leave before', () => {
    expect(lookAt('waiting', { a: hours([60, 100]), b: hours([105, 200]) })).toEqual({
      ...{ held: [105], giveBack: [], again: 90 },
    });
  });
});
