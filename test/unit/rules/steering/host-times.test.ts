import { maintenanceSecondsLeft } from '../../../../rules/steering/host-times';
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
  { what: 'all of it, where it waits', host: inPhase('waiting'), seconds: 600 },
  { what: 'all of it, while it is drained', host: inPhase('emptying'), seconds: 600 },
  { what: 'the rest, where it has begun', host: inMaintenanceFor(250), seconds: 350 },
  { what: 'nothing where it is late', host: inMaintenanceFor(700), seconds: 0 },
  { what: 'a usual one where nobody says how long it takes', host: aHostIn('maintaining', 'h'), seconds: 900 },
])('of the maintenance of a host is left $what', ({ host, seconds }) => {
  expect(maintenanceSecondsLeft(host, { nowMs })).toBe(seconds);
});
