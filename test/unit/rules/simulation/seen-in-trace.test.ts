import { parseFleet } from '../../../../clouds/simulated/fleet-file';
import { seenInTrace } from '../../../../rules/simulation/seen-in-trace';
import type { TraceEvent } from '../../../../rules/simulation/simulate';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../../builders/a-fleet-file';

const [first, second, other] = [uuidNumber(1), uuidNumber(2), uuidNumber(3)];
const [projectId, otherProject] = [uuidNumber(900), uuidNumber(901)];

const fleet = parseFleet(
  aFleetFile({
    hosts: [aFleetHost({ name: 'compute-1' }), aFleetHost({ name: 'compute-2' })],
    groups: [],
    instances: [
      aFleetInstance({ instance_id: first }),
      aFleetInstance({ instance_id: second }),
      aFleetInstance({ instance_id: other, project_id: otherProject }),
    ],
  }),
);

const at = (t: number, event: string, fields: Readonly<Record<string, string>>): TraceEvent => ({
  t,
  event,
  ...fields,
});
const started = (t: number, instance: string, action = 'LIVE_MIGRATE') => at(t, 'move_start', { instance, action });

describe('seenInTrace', () => {
  it('tells how long each known host was in maintenance, the last time', () => {
    const trace = [
      at(0, 'maintenance_start', { host: 'compute-1' }),
      at(1, 'maintenance_start', { host: 'stranger' }),
      at(100.1, 'maintenance_end', { host: 'compute-1' }),
      at(101, 'maintenance_end', { host: 'stranger' }),
      at(200, 'maintenance_start', { host: 'compute-2' }),
    ];
    expect(seenInTrace(trace, fleet).maintenances).toEqual([
      { hostname: 'compute-1', type: 'compute', seconds: 100.1, isOfThisSession: false },
    ]);
  });

  it('tells the mean of the moves of a project by one action, without those that moved nothing', () => {
    const trace = [
      started(0, first),
      started(0, second),
      started(0, other, 'MIGRATE'),
      at(10, 'move_end', { instance: first }),
      at(20, 'move_end', { instance: second }),
      at(40, 'move_end', { instance: other }),
      started(50, first),
      at(950, 'move_end', { instance: first, stayed: 'true' }),
    ];
    expect(seenInTrace(trace, fleet).moves).toEqual([
      { projectId, action: 'LIVE_MIGRATE', seconds: 15 },
      { projectId: otherProject, action: 'MIGRATE', seconds: 40 },
    ]);
  });

  it('tells how soon a project answers, and how often it does not', () => {
    const trace = [
      at(0, 'notify', { instance: first }),
      at(0, 'notify', { instance: second }),
      at(0, 'notify', { instance: other }),
      at(8, 'reply', { instance: first }),
      started(8, first),
      started(30, second),
      started(30, other),
    ];
    expect(seenInTrace(trace, fleet).answers).toEqual([
      { projectId, seconds: 8, silentShare: 0.5 },
      { projectId: otherProject, seconds: undefined, silentShare: 1 },
    ]);
  });
});
