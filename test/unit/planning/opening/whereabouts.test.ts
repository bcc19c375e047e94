import { Whereabouts } from '../../../../planning/opening/whereabouts';
import type { PlayedHost, PlayedInstance } from '../../../../planning/opening/script';

const room = { vcpus: 4, memoryMb: 4 };
const host: PlayedHost = { ...room, part: 'waiting', free: room, maintenanceSeconds: 100, becomesTarget: true };
const onHost = (position: number): PlayedInstance => ({
  ...room,
  host: position,
  group: 0,
  apart: [],
  actionSeconds: 10,
});

/** Instances 0 and 2 are on host 0, instance 1 is on host 1; host 2 is empty. */
const aFleet = (): Whereabouts =>
  new Whereabouts({
    hosts: [host, host, host],
    instances: [onHost(0), onHost(1), onHost(0)],
    groups: [],
    mostUnderWork: Infinity,
  });

const everything = (where: Whereabouts): unknown =>
  [0, 1, 2].map((one) => [where.placelessOn(one), where.countOn(one), where.isAwaiting(one), where.targetOf(one)]);

describe('an instance of a rehearsal', () => {
  it('is where the script says, and goes nowhere', () => {
    const where = aFleet();
    expect([0, 1, 2].map((one) => where.placelessOn(one))).toEqual([[0, 2], [1], []]);
    expect(where.isEmpty(2)).toBe(true);
  });

  it('counts on its host until it has arrived', () => {
    const where = aFleet();
    where.send(0, 2);
    expect([where.hostOf(0), where.targetOf(0), where.countOn(0), where.placelessOn(0)]).toEqual([0, 2, 2, [2]]);
    expect([where.isAwaiting(2), where.isEmpty(2)]).toEqual([true, true]);
  });

  it('counts on its target from then on', () => {
    const where = aFleet();
    where.send(0, 2);
    where.arrive(0);
    expect([where.hostOf(0), where.targetOf(0), where.countOn(0), where.placelessOn(2)]).toEqual([
      2,
      undefined,
      1,
      [0],
    ]);
    expect(where.isAwaiting(2)).toBe(false);
  });

  it('is met in the order of all instances wherever it has come to', () => {
    const where = aFleet();
    where.send(0, 1);
    where.arrive(0);
    expect(where.placelessOn(1)).toEqual([0, 1]);
  });

  it.each([
    { what: 'is recalled', change: (where: Whereabouts) => where.recall(0) },
    { what: 'begins anew', change: (where: Whereabouts) => where.reset() },
  ])('is as before when it $what', ({ change }) => {
    const where = aFleet();
    where.send(0, 2);
    change(where);
    expect(everything(where)).toEqual(everything(aFleet()));
  });

  it('is back on its first host when everything begins anew', () => {
    const where = aFleet();
    where.send(0, 2);
    where.arrive(0);
    where.reset();
    expect(everything(where)).toEqual(everything(aFleet()));
  });
});
