import { drainSecondsOf, staySecondsOf } from '../../../../planning/drain-order/forecast-facts';
import { secondsPerMember } from '../../../../planning/limits/group-pace';
import { aGroup, aHostIn } from '../../../builders/a-fleet';

const nowMs = 1_000_000;
const inMaintenanceFor = (seconds: number) =>
  aHostIn('maintaining', 'host-1', {
    expectedMaintenanceSeconds: 600,
    work: { announcedAtMs: nowMs - seconds * 1000 },
  });
/** An earlier announcement says nothing about a maintenance that has not begun. */
const inPhase = (phase: 'waiting' | 'emptying') =>
  aHostIn(phase, 'host-1', { expectedMaintenanceSeconds: 600, work: { announcedAtMs: nowMs - 250_000 } });

it.each([
  { what: 'a drain and a maintenance, where it waits', host: inPhase('waiting'), seconds: 700 },
  { what: 'half of the drain and a maintenance, while it is drained', host: inPhase('emptying'), seconds: 650 },
  { what: 'what is left of its maintenance', host: inMaintenanceFor(250), seconds: 350 },
  { what: 'nothing where its maintenance is late', host: inMaintenanceFor(700), seconds: 0 },
  { what: 'a usual maintenance where nobody says how long it takes', host: aHostIn('maintaining', 'h'), seconds: 900 },
])('until a host is back it takes $what', ({ host, seconds }) => {
  expect(staySecondsOf(host, 100, nowMs)).toBe(seconds);
});

it.each([
  { what: 'as usual', maintenances: [900, 1500], drain: 100 },
  { what: 'a share of the maintenances where those are short', maintenances: [60, 180], drain: 20 },
])('draining one of the hosts takes $what', ({ maintenances, drain }) => {
  const hosts = maintenances.map((seconds, number) =>
    aHostIn('waiting', `host-${String(number)}`, { expectedMaintenanceSeconds: seconds }),
  );
  expect(drainSecondsOf(hosts)).toBe(drain);
});

const seconds = (maxImpactedMembers: number, recoveryTimeSeconds: number): number =>
  secondsPerMember(aGroup({ maxImpactedMembers, recoveryTimeSeconds }));

it('takes each member longer by the recovery that it has to wait for', () => {
  expect(seconds(1, 90) - seconds(1, 0)).toBe(90);
});

it('takes each member half as long where two may be impacted at once', () => {
  expect(seconds(2, 60)).toBe(seconds(1, 60) / 2);
});

it('counts a group that allows nobody as one that allows one', () => {
  expect(seconds(0, 60)).toBe(seconds(1, 60));
});
