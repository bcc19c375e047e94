/** The calendar of a project at its secret address, over HTTP. */
import { openTracing } from '../../../telemetry/tracing/tracing';
import {
  apiOn,
  aSessionRequest,
  otherProject,
  ownInstance,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const own = `/v1/projects/${ownProject}/calendar`;

const told = async (fields: Readonly<Record<string, unknown>> = {}, host = 'compute-1'): Promise<void> => {
  const { http } = apiOn(db());
  const request = aSessionRequest({ reason: 'a new kernel', hosts: [host] });
  const created = await http.post('/v1/maintenance').send(request).expect(200);
  const startsAt = new Date(Date.now() + 3_600_000);
  await db().toldComing.create({
    data: {
      ...{ sessionId: (created.body as { session_id: string }).session_id, projectId: ownProject, status: 'scheduled' },
      ...{ instanceId: ownInstance, instanceName: 'web-1', startsAt, latestAt: startsAt, endsAt: startsAt },
      ...fields,
    },
  });
};

const pathOf = (url: string): string => url.replace(/^http:\/\/[^/]+/, '');

const make = async (http: ReturnType<typeof apiOn>['http']): Promise<string> => {
  const made = await http.post(own).set('X-Auth-Token', 'own').expect(200);
  return pathOf((made.body as { url: string }).url);
};

it('shows the calendar of the project to whoever has the address, without a token', async () => {
  await told();
  await told({ projectId: otherProject, instanceName: 'db-9', instanceId: otherProject }, 'compute-2');
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const calendar = await http.get(await make(http)).expect(200);
  expect(calendar.get('Content-Type')).toBe('text/calendar; charset=utf-8');
  expect(calendar.text).toContain('SUMMARY:web-1');
  expect(calendar.text).toContain('Reason: a new kernel');
  expect(calendar.text).not.toContain('db-9');
  const byToken = await http.get(`/v1/projects/${ownProject}/coming.ics`).set('X-Auth-Token', 'own').expect(200);
  expect(byToken.text).toBe(calendar.text);
});

it('keeps an entry for some weeks, with the same UID, and drops it then', async () => {
  await told({ status: 'canceled', sequence: 4 });
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const path = await make(http);
  const { text } = await http.get(path).expect(200);
  expect(text.replaceAll('\r\n ', '')).toMatch(/UID:[0-9a-f-]{36}\.[0-9a-f]{32}@parley\r\nSEQUENCE:4/);
  expect(text).toContain('STATUS:CANCELLED');
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  await db().toldComing.updateMany({ data: { startsAt: longAgo, endsAt: longAgo } });
  expect((await http.get(path).expect(200)).text).not.toContain('VEVENT');
});

it('shows nothing after the address was withdrawn, or replaced', async () => {
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const first = await make(http);
  await http.get(own).set('X-Auth-Token', 'own').expect(200);
  const second = await make(http);
  expect((await http.get(first)).body).toMatchObject({ status: 404, code: 'UNKNOWN_SECRET' });
  await http.get(second).expect(200);
  await http.delete(own).set('X-Auth-Token', 'own').expect(200);
  await http.get(second).expect(404);
  await http.get(own).set('X-Auth-Token', 'own').expect(404);
  await http.delete(own).set('X-Auth-Token', 'own').expect(200);
});

it('gives no right to anything else', async () => {
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const path = await make(http);
  const secret = path.replace('/v1/calendars/', '').replace('.ics', '');
  await http.get('/v1/whoami').set('X-Auth-Token', secret).expect(401);
  await http.post(path).expect(405);
  await http.delete(path).expect(405);
  for (const wrong of ['guessed', secret.slice(1), `${secret}x`, secret.toLowerCase(), '%00']) {
    await http.get(`/v1/calendars/${wrong}.ics`).expect(404);
  }
  await http.get(`/v1/calendars/${secret}`).expect(401);
});

it('keeps the secret out of the database, the log, the audit, the traces and the metrics', async () => {
  const spans: string[] = [];
  const tracing = { ...(await openTracing({ otlpEndpoint: undefined }, 'test')) };
  const recorded = {
    ...tracing,
    inSpan: <T>(span: object, work: () => T): T => {
      spans.push(JSON.stringify(span));
      return work();
    },
  };
  const options = { identity: tokenIdentity(), logLevel: 'trace', tracing: recorded as never };
  const { http, logged } = apiOn(db(), options);
  const path = await make(http);
  const secret = path.replace('/v1/calendars/', '').replace('.ics', '');
  for (const each of [
    path,
    `${path}/`,
    path.toUpperCase().replace(secret.toUpperCase(), secret),
    `/v1/calendars/${secret}`,
  ])
    await http.get(each);
  const metrics = await http.get('/metrics').set('X-Auth-Token', 'admin').expect(200);
  const audit = await http.get('/v1/audit').set('X-Auth-Token', 'admin').expect(200);
  const rows = await db().secretAddress.findMany();
  expect(logged.join()).toContain('/v1/calendars/…');
  expect(spans.join()).toContain('/v1/calendars/{secret}.ics');
  for (const text of [logged.join(), spans.join(), metrics.text, JSON.stringify(audit.body), JSON.stringify(rows)]) {
    expect(text).not.toContain(secret);
  }
  expect(metrics.text).toContain('/v1/calendars/{secret}.ics');
});
