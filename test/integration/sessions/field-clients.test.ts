/**
 * Two managers as they exist in the field, which the service has to get along with: one repeats itself, sends keys that
 * nobody asked for and stays silent at the end; the other is strict about the lists that it is sent.
 */
import { aZone } from '../../builders/a-zone';
import { followEvents } from '../rig/event-stream';
import type { PlannedEvent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const six = { hosts: { a: { slots: 6 }, b: { slots: 6 } } };
const repeating = aZone(0, {
  ...six,
  groups: { 1: { anti_affinity_group: false, max_instances_per_host: 0, recovery_time: 0 } },
  instances: [
    [1, 'a'],
    [2, 'b'],
    [3, 'b'],
  ],
});
const strict = aZone(1, {
  ...six,
  instances: [
    [1, 'a'],
    [2, 'b'],
    [3, 'b', { project: 2 }],
  ],
});

const { story, judgeTrace } = tellSideBySide({ zones: [repeating, strict] });

const withoutDashes = (uuid: string): string => uuid.replaceAll('-', '');

interface Call {
  readonly what: string;
  readonly status: number;
}

type React = (
  event: PlannedEvent,
  call: (method: string, path: string, body?: unknown) => Promise<Response>,
) => Promise<void>;

/** Reacts to every event of the project within its handler: the next one is read only when it has returned. */
const startFieldClient = ({ rig }: Stage, projectId: string, react: React): { calls: Call[]; stop: () => void } => {
  const calls: Call[] = [];
  const stopped = new AbortController();
  let last = Promise.resolve();
  const handle = (event: PlannedEvent): Promise<void> =>
    react(event, async (method, path, body) => {
      const response = await fetch(path.replace(/^.*\/v1/, rig.url), {
        method,
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      calls.push({ what: `${method} ${event.state}`, status: response.status });
      return response;
    });
  void followEvents({
    url: `${rig.url}/events?project_id=${withoutDashes(projectId)}`,
    signal: stopped.signal,
    tell({ payload }) {
      last = last.then(() => handle(payload as unknown as PlannedEvent));
    },
  });
  return { calls, stop: () => stopped.abort() };
};

const inDashlessForm = (replyUrl: string, projectId: string): string =>
  replyUrl.replace(projectId, withoutDashes(projectId));

story('a manager that repeats itself, uses IDs without dashes and never answers at the end', async (stage) => {
  const { admin, db, rig } = stage;
  const projectId = repeating.project(1);
  const project_id = withoutDashes(projectId);
  const group_id = repeating.group(1);
  const groupBody = {
    project_id,
    group_id,
    group_name: 'web',
    anti_affinity_group: false,
    max_instances_per_host: 0,
    max_impacted_members: 1,
    recovery_time: 0,
    resource_mitigation: false,
  };
  const instanceBody = (n: number) => ({
    instance_id: repeating.instance(n),
    project_id,
    group_id,
    instance_name: `web-${n}`,
    max_interruption_time: 4,
    migration_type: 'MIGRATION',
    resource_mitigation: false,
    lead_time: 6,
  });
  const stored = await Promise.all([
    ...[1, 2, 3].map((n) => admin.call('PUT', `/instance/${repeating.instance(n)}/`, instanceBody(n))),
    admin.call('PUT', `/instance_group/${group_id}/`, groupBody),
  ]);
  expect(stored.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const refused = await admin.call('PUT', `/instance_group/${group_id}`, { ...groupBody, recovery_time: '60,' });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/recovery_time' }] } });

  const busyIn = new Set(['MAINTENANCE']);
  let repeat: (() => Promise<unknown>) | undefined;
  const client = startFieldClient(stage, projectId, async (event, call) => {
    const { state, session_id } = event;
    if (state === 'MAINTENANCE_COMPLETE') return;
    const url = `${inDashlessForm(event.reply_url, projectId)}/`;
    const instance_ids = typeof event.instance_ids === 'string' ? event.instance_ids : [...event.instance_ids];
    const isBusy = busyIn.delete(state);
    if (['INSTANCE_ACTION_FALLBACK', 'INSTANCE_ACTION_FAILED'].includes(state)) return;
    const known = state.endsWith('_MAINTENANCE')
      ? ((await (await call('GET', url)).json()) as { instance_ids: string[] }).instance_ids
      : [];
    const instance_actions = Object.fromEntries(known.map((id) => [id, 'MIGRATE']));
    const body = { session_id, instance_ids, state: `${isBusy ? 'NACK' : 'ACK'}_${state}`, instance_actions };
    if (state === 'INSTANCE_ACTION_DONE') await repeat?.(); // after the state has moved on
    await call('PUT', url, body);
    if (!isBusy) await call('PUT', url, body);
    if (state.endsWith('_MAINTENANCE')) repeat = () => call('PUT', url, body);
  });
  const sessionId = await admin.create({ hosts: repeating.hostNames });
  const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  client.stop();
  expect(percent_done).toBe(100);
  expect(client.calls.filter(({ status }) => status !== 200)).toEqual([]);
  expect(client.calls.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['PUT MAINTENANCE', 'PUT PREPARE_MAINTENANCE', 'PUT INSTANCE_ACTION_DONE']),
  );
  const moves = await db.simMove.findMany({ where: { source: { in: [...repeating.hostNames] } } });
  expect(new Set(moves.map(({ action }) => action))).toEqual(new Set(['MIGRATE']));
  // The group is deleted first.
  const deleted = [await fetch(`${rig.url}/instance_group/${group_id}/`, { method: 'DELETE' })];
  for (const n of [1, 2, 3])
    deleted.push(await fetch(`${rig.url}/instance/${repeating.instance(n)}/`, { method: 'DELETE' }));
  expect(deleted.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

story('a manager that refuses lists which name an instance that is not its own', async (stage) => {
  const { admin } = stage;
  const projectId = strict.project(1);
  const own = new Set([1, 2].map((n) => strict.instance(n)));
  const foreign: string[] = [];
  const client = startFieldClient(stage, projectId, async ({ state, instance_ids, reply_url }, call) => {
    if (state.startsWith('INSTANCE_')) return;
    const link = String(instance_ids);
    const listed =
      link === '' ? [] : ((await (await call('GET', link)).json()) as { instance_ids: string[] }).instance_ids;
    foreign.push(...listed.filter((id) => !own.has(id)));
    const answer = listed.every((id) => own.has(id)) ? 'ACK' : 'NACK';
    await call('PUT', reply_url, { state: `${answer}_${state}`, instance_actions: {} });
  });
  const sessionId = await admin.create({ hosts: strict.hostNames });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  client.stop();
  expect(foreign).toEqual([]);
  expect(client.calls.filter(({ status }) => status !== 200)).toEqual([]);
  expect(client.calls.map(({ what }) => what)).toContain('GET MAINTENANCE');
});

judgeTrace();
