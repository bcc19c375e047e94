import {
  expectedDrainSecondsOf,
  maintenanceSecondsLeft,
  secondsUntilBack,
} from '../../../../planning/opening/host-pace';
import { aHostIn } from '../../../builders/a-fleet';

const nowMs = 1_000_000;
const inMaintenanceFor = (seconds: number) =>
  aHostIn('maintaining', 'host-1', {
    expectedMaintenanceSeconds: 600,
    work: { announcedAtMs: nowMs - seconds * 1000 },
  });
/** That it was announced before says nothing of a maintenance which has not begun. */
const inPhase = (phase: 'waiting' | 'emptying') =>
  aHostIn(phase, 'host-1', { expectedMaintenanceSeconds: 600, work: { announcedAtMs: nowMs - 250_000 } });

it.each([
  { what: 'all of it before it begins', host: inPhase('waiting'), left: 600 },
  { what: 'all of it while the host is emptied', host: inPhase('emptying'), left: 600 },
  { what: 'the rest once it has begun', host: inMaintenanceFor(250), left: 350 },
  { what: 'nothing of one that is late', host: inMaintenanceFor(700), left: 0 },
  { what: 'a usual one where nobody says how long it takes', host: aHostIn('waiting', 'host-1'), left: 900 },
])('of a maintenance is left $what', ({ host, left }) => {
  expect(maintenanceSecondsLeft(host, nowMs)).toBe(left);
});

it.each([
  { what: 'a drain and a maintenance, where it waits', host: inPhase('waiting'), seconds: 700 },
  { what: 'half of the drain and a maintenance, while it is emptied', host: inPhase('emptying'), seconds: 650 },
  { what: 'what is left of its maintenance', host: inMaintenanceFor(250), seconds: 350 },
])('until a host is back it takes $what', ({ host, seconds }) => {
  expect(secondsUntilBack(host, 100, nowMs)).toBe(seconds);
});

it.each([
  { what: 'as usual', maintenances: [900, 1500], drain: 100 },
  { what: 'a share of the maintenances where those are short', maintenances: [60, 180], drain: 20 },
])('emptying one of the hosts takes $what', ({ maintenances, drain }) => {
  const hosts = maintenances.map((seconds, number) =>
    aHostIn('waiting', `host-${String(number)}`, { expectedMaintenanceSeconds: seconds }),
  );
  expect(expectedDrainSecondsOf(hosts, 100)).toBe(drain);
});
