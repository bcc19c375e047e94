import type { Interval } from '../../../../rules/maintenance-windows/intervals';
import { areApart, meetingOf } from '../../../../rules/owner-times/meeting';
import type { OwnerTimes } from '../../../../rules/owner-times/release';

const minute = 60_000;

/** Pairs of minutes. */
const open = (...hours: readonly (readonly [number, number])[]): readonly Interval[] =>
  hours.map(([from, to]) => ({ fromMs: from * minute, toMs: to * minute }));

const meet = (owners: readonly OwnerTimes[], nowMinutes = 0) => {
  const { atMs, isTogether } = meetingOf(
    owners.map((ownerTimes) => ({ ownerTimes })),
    nowMinutes * minute,
  );
  return { at: atMs / minute, isTogether };
};

describe('instances may leave in one go', () => {
  it.each<{ when: string; owners: OwnerTimes[]; at: number; isTogether?: boolean }>([
    { when: 'nobody has hours', owners: [{}, {}], at: 0 },
    { when: 'their hours overlap', owners: [{ hours: open([10, 60]) }, { hours: open([30, 90]) }], at: 30 },
    { when: 'one is put off', owners: [{ hours: open([0, 60]) }, { notBeforeMs: 40 * minute }], at: 40 },
    {
      when: 'one ends shortly before the other begins',
      ...{ owners: [{ hours: open([0, 60]) }, { hours: open([70, 90]) }], at: 70, isTogether: false },
    },
    {
      when: 'they meet only the second time',
      ...{ owners: [{ hours: open([0, 60], [200, 260]) }, { hours: open([90, 120], [230, 300]) }], at: 230 },
    },
    {
      when: 'an hour is too short for the impact',
      ...{ owners: [{ hours: open([0, 5], [50, 90]), impactMs: 10 * minute }], at: 50 },
    },
    { when: 'never', owners: [{ hours: open([0, 60]) }, { hours: open([90, 120]) }], at: Infinity },
  ])('$when: at minute $at', ({ owners, at, isTogether = true }) => {
    expect(meet(owners)).toEqual({ at, isTogether });
  });

  it('not at a time that has passed', () => {
    expect(meet([{ hours: open([0, 60]) }, { hours: open([55, 100], [300, 310]) }], 70).at).toBe(Infinity);
  });
});

describe('instances are apart', () => {
  it.each<{ first: readonly Interval[]; second: readonly Interval[]; isApart: boolean }>([
    { first: open([0, 60]), second: open([30, 90]), isApart: false },
    { first: open([0, 60], [500, 600]), second: open([200, 260], [550, 560]), isApart: false },
    { first: open([0, 60]), second: open([200, 260]), isApart: true },
    { first: open(), second: open([200, 260]), isApart: true },
  ])('$isApart', ({ first, second, isApart }) => {
    const [one, other] = [{ ownerTimes: { hours: first } }, { ownerTimes: { hours: second } }];
    expect([areApart(one, other), areApart(other, one), areApart(one, other)]).toEqual([isApart, isApart, isApart]);
  });

  it('by their hours alone, whatever else one of them waits for', () => {
    const [hours, others] = [open([0, 60]), open([30, 90])];
    const other = { ownerTimes: { hours: others } };
    for (const times of [{ impactMs: 100 * minute }, { notBeforeMs: 100 * minute }, {}])
      expect(areApart({ ownerTimes: { hours, ...times } }, other)).toBe(false);
  });

  it('never where one may leave at any time', () => {
    expect(areApart({ ownerTimes: { hours: open() } }, {})).toBe(false);
  });
});
