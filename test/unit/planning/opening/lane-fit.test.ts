import type { Host, Instance } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { LaneFit } from '../../../../planning/opening/lane-fit';
import { aFleet, aGroup, aHostIn, aSessionId, anInstance } from '../../../builders/a-fleet';

/** Two that wait, of 16 vcpus each: a drain is expected to take 150 s, and together they take what one lane can. */
const short = aHostIn('waiting', 'short', { enabled: false, expectedMaintenanceSeconds: 1_000 });
const long = aHostIn('waiting', 'long', { enabled: false, expectedMaintenanceSeconds: 2_000 });
const room = (name: string): Host => aHostIn('maintained', name);
const underWork = (name: string, fields: Parameters<typeof aHostIn>[2] = {}): Host =>
  aHostIn('maintaining', name, { expectedMaintenanceSeconds: 1_000, ...fields, work: { announcedAtMs: 0 } });

const fitOf = (others: readonly Host[], { nowMs = 0, maxParallelHosts = Infinity } = {}): LaneFit => {
  const waiting = [short, long];
  const live = new LiveFleet(aFleet({ hosts: [...waiting, ...others] }), nowMs);
  const limits = { releases: 2, defaultImpactShare: 0.25, maxParallelHosts };
  return new LaneFit({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs, limits }, waiting);
};

const misfitsIn = (...args: Parameters<typeof fitOf>): readonly number[] => {
  const fit = fitOf(...args);
  return [fit.misfitSeconds(short), fit.misfitSeconds(long)];
};

const bothFit = [0, 0];
const onlyLongFits = [1_000, 0];

describe('the host that fits into the room that is free', () => {
  it.each<{ what: string; others: readonly Host[]; nowMs?: number; maxParallelHosts?: number; expected: number[] }>([
    { what: 'is any, where all go through one lane', others: [room('r')], expected: bothFit },
    { what: 'is any, where there is a lane for each', others: [room('r'), room('s')], expected: bothFit },
    {
      what: 'is the long one, where the short one can wait for a host in maintenance',
      others: [room('r'), underWork('m')],
      expected: onlyLongFits,
    },
    {
      what: 'is the long one, where the short one can wait for a host that is being emptied',
      others: [room('r'), aHostIn('emptying', 'e', { expectedMaintenanceSeconds: 900 })],
      expected: onlyLongFits,
    },
    {
      what: 'is the long one, where what is in maintenance holds instances, although it is a controller',
      others: [room('r'), underWork('m', { type: 'controller' })],
      expected: onlyLongFits,
    },
    {
      what: 'is any, where what is in maintenance is a controller that holds none',
      others: [room('r'), underWork('m', { type: 'controller', isCompute: false })],
      expected: bothFit,
    },
    {
      what: 'is the long one, where the other lane is late: it is not free yet',
      others: [room('r'), underWork('m')],
      nowMs: 2_000_000,
      expected: onlyLongFits,
    },
    {
      what: 'is the long one, where there is room for two and leave for one more',
      others: [room('r'), room('s'), underWork('m')],
      maxParallelHosts: 2,
      expected: onlyLongFits,
    },
    {
      what: 'is any, where there is room for two and leave for two',
      others: [room('r'), room('s'), underWork('m')],
      maxParallelHosts: 3,
      expected: bothFit,
    },
  ])('$what', ({ others, nowMs, maxParallelHosts, expected }) => {
    expect(misfitsIn(others, { nowMs, maxParallelHosts })).toEqual(expected);
  });
});

describe('what is lost', () => {
  const lossOn = (instances: readonly Instance[], hosts: readonly Host[]): number => {
    const group = aGroup({ recoveryTimeSeconds: 60 });
    const live = new LiveFleet(aFleet({ hosts: [short, room('r'), ...hosts], instances, groups: [group] }), 0);
    const limits = { releases: 2, defaultImpactShare: 0.25 };
    const facts = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs: 0, limits } as const;
    return new LaneFit(facts, [short]).lossSeconds(short);
  };
  const on = (host: string): Instance => anInstance({ id: `on ${host}`, host, vcpus: 1 });

  it('is less by two fifths of the time in which all of its slowest group can leave', () => {
    expect(lossOn([], [])).toBe(0);
    expect(lossOn([on('short')], [])).toBeCloseTo(-40);
    expect(lossOn([on('short'), on('w')], [aHostIn('waiting', 'w')])).toBeCloseTo(-80);
    expect(lossOn([on('short'), on('w'), on('e')], [aHostIn('waiting', 'w'), aHostIn('emptying', 'e')])).toBeCloseTo(
      -120,
    );
  });

  it('is not less for members that stay where they are', () => {
    expect(lossOn([on('short'), on('r')], [])).toBeCloseTo(-40);
  });
});
