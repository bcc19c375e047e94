/** Sessions of the workflow `vnf`: many hosts at once, every instance asked its own question, constraints obeyed. */
import { aZone, type Zone } from '../../builders/a-zone';
import { hostEvents, plannedEvents, statesIn } from '../rig/event-log';
import { acknowledge } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const dummyOnHosts = [{ plugin: 'dummy', type: 'host' }];
const vnf = (zone: Zone, request: Readonly<Record<string, unknown>> = {}) => ({
  workflow: 'vnf',
  hosts: zone.hostNames,
  actions: dummyOnHosts,
  ...request,
});

const hostOf = (number: number): string => `c${String(number).padStart(2, '0')}`;
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Four computes with two instances each, in three groups, and a controller. */
const whole = aZone(0, {
  hosts: {
    ...Object.fromEntries(range(4).map((number) => [hostOf(number), { slots: 4 }])),
    ctl1: { type: 'controller', is_compute: false },
  },
  groups: Object.fromEntries(
    range(3).map((number) => [
      number,
      { project: 1 + (number % 2), max_impacted_members: 1 + (number % 2), recovery_time: 1 },
    ]),
  ),
  instances: range(8).map((number) => {
    const group = 1 + ((number - 1) % 3);
    return [number, hostOf(1 + ((number - 1) % 4)), { group, project: 1 + (group % 2), lead_time: 60 }] as const;
  }),
});

const { story, judgeTrace } = tellSideBySide({ zones: [whole] });

story(
  'maintains many hosts at once, each instance asked by itself, and is done',
  async ({ admin, db, events, manage }) => {
    const managers = [manage(whole.project(1), acknowledge), manage(whole.project(2), acknowledge)];
    const sessionId = await admin.create(vnf(whole));
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
    expect(statesIn(told)).toEqual([
      'MAINTENANCE',
      'START_MAINTENANCE',
      'PLANNED_MAINTENANCE',
      'MAINTENANCE_COMPLETE',
      'MAINTENANCE_DONE',
    ]);
    expect(hostEvents(told)).toEqual(
      Object.fromEntries(whole.hostNames.map((name) => [name, ['IN_MAINTENANCE', 'MAINTENANCE_COMPLETE']])),
    );
    expect(managers.flatMap(({ replies }) => replies.map(({ status }) => status))).not.toContain(422);
    expect(plannedEvents(told, 'INSTANCE_ACTION_DONE').length).toBeGreaterThanOrEqual(8);
    const { drainOrder } = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(drainOrder.length).toBeGreaterThan(0);
    expect(whole.hostNames).toEqual(expect.arrayContaining(drainOrder));
  },
);

judgeTrace();
