/** Sessions in a cloud to which projects tell their terms: a proxy of the simulated one, which tells none. */
import type { CloudDriver } from '../../../clouds/cloud-driver';
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import type { ProjectTerms } from '../../../rules/cloud/terms';
import { weekdays } from '../../../rules/maintenance-windows/maintenance-window';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { type Admin, anAdmin } from '../rig/admin';
import { acknowledge, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';

const hosts = { a: {}, b: {} };
const answering = aZone(0, { hosts, instances: [[1, 'a']] });
const inHours = aZone(1, { hosts, instances: [[1, 'a']] });

/** By the IDs of the projects. */
const told = new Map<string, ProjectTerms>();

const tellingCloud = (cloud: CloudDriver): CloudDriver => {
  const withTerms = (instance: CloudInstance): CloudInstance => {
    const ofProject = told.get(instance.projectId);
    return ofProject === undefined ? instance : { ...instance, terms: { ofProject } };
  };
  return {
    ...cloud,
    listInstances: async (host) => (await cloud.listInstances(host)).map(withTerms),
    listInstancesLately: async (host) => (await cloud.listInstancesLately(host)).map(withTerms),
    whatIsOn: async (host) => {
      const content = await cloud.whatIsOn(host);
      return { ...content, instances: content.instances.map(withTerms) };
    },
    findInstance: async (id) => {
      const found = await cloud.findInstance(id);
      return found && withTerms(found);
    },
    projectTerms: () => Promise.resolve(told),
  };
};

let rig: Rig;
let admin: Admin;
beforeAll(async () => {
  rig = await startRig({ fleet: aFleetOfZones([answering, inHours]) });
  await rig.restartWorker({ cloud: tellingCloud(rig.services.cloud) });
  admin = anAdmin(rig.url);
});
afterAll(() => rig.stop());

it('a project answers all questions by what it tells, and nobody waits for it', async () => {
  const answers = { MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: 'ACK', MAINTENANCE_COMPLETE: 'ACK' } as const;
  told.set(answering.project(1), { ask: 'never', answers });
  const sessionId = await admin.create({ hosts: [answering.host('a')], workflow: 'vnf' });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const questions = await rig.db.question.findMany({ where: { sessionId } });
  expect(new Set(questions.map(({ state }) => state))).toEqual(
    new Set(['MAINTENANCE', 'PREPARE_MAINTENANCE', 'MAINTENANCE_COMPLETE']),
  );
  expect(questions.filter(({ answeredBy, status }) => answeredBy !== 'terms' || status !== 'answered')).toEqual([]);
  expect(questions.filter(({ askedAt, answeredAt }) => askedAt !== null && answeredAt! > askedAt)).toEqual([]);
});

it('hours that it tells hold its instance back, and others that it tells then let it go', async () => {
  const projectId = inHours.project(1);
  const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  told.set(projectId, { hours: [{ dates: [inTwoDays], time_zone: 'UTC' }] });
  const manager = startManager({ url: rig.url, projectId, policy: acknowledge });
  const sessionId = await admin.create({ hosts: [inHours.host('a')], workflow: 'vnf' });
  const waits = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'owner_time');
  expect(waits).toMatchObject({ owner: 'project', subject_id: projectId });
  expect(await rig.db.claim.count({ where: { sessionId, startedAt: { not: null } } })).toBe(0);
  told.set(projectId, { hours: [{ days: weekdays, time_zone: 'UTC' }] });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  manager.stop();
  expect(await rig.db.claim.count({ where: { sessionId, startedAt: { not: null } } })).toBe(1);
});
