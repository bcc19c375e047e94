import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Identity } from '../../../api/identity/identity';
import { idFormNames, idForms } from '../../builders/id-forms';
import { apiOn, otherProject, ownProject, tokenIdentity, useDatabase } from './api-under-test';

const { db } = useDatabase();
const stop = new AbortController();
/** The end of all tokens; undefined: they have none. */
let tokensEndAtMs: number | undefined;
let server: Server;

const known = tokenIdentity();
const identity: Identity = {
  ...known,
  authenticate: async (token) => ({
    ...(await known.authenticate(token)),
    ...(tokensEndAtMs !== undefined && { expiresAtMs: tokensEndAtMs }),
  }),
};

beforeAll(async () => {
  server = createServer(apiOn(db(), { identity, stopping: stop.signal }).app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
});

afterAll(async () => {
  stop.abort();
  await new Promise((resolve) => server.close(resolve));
});

const sessionId = randomUUID();

const record = (position: number, projectId: string | null) =>
  db().event.create({
    data: {
      sessionId,
      seq: position,
      eventType: projectId === null ? 'maintenance.session' : 'maintenance.planned',
      messageId: randomUUID(),
      projectId,
      payload: { session_id: sessionId },
      position: BigInt(position),
    },
  });

const listen = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const { port } = server.address() as AddressInfo;
  const left = new AbortController();
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { 'X-Auth-Token': 'admin', ...headers },
    signal: left.signal,
  });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  return { reply, reader, leave: () => left.abort() };
};

/** Reads until an event with the ID has come; gives the IDs of all that came. */
const idsUntil = async ({ reader, leave }: Awaited<ReturnType<typeof listen>>, last: number): Promise<number[]> => {
  let text = '';
  while (!text.includes(`id: ${last}\n`)) text += (await reader.read()).value ?? '';
  leave();
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
};

describe('GET /v1/events', () => {
  beforeEach(async () => {
    await record(1, null);
    await record(2, ownProject);
    await record(3, otherProject);
    await record(4, ownProject);
  });

  it.each([
    { situation: 'an admin all', path: '/v1/events', headers: {}, ids: [1, 2, 3, 4] },
    { situation: 'a project its own', path: '/v1/events', headers: { 'X-Auth-Token': 'own' }, ids: [2, 4] },
    { situation: "an admin one project's", path: `/v1/events?project_id=${ownProject}`, headers: {}, ids: [2, 4] },
    ...idFormNames.map((form) => ({
      situation: `an admin one project's, the ID ${form}`,
      path: `/v1/events?project_id=${idForms[form](ownProject)}`,
      ...{ headers: {}, ids: [2, 4] },
    })),
    { situation: 'who comes back the rest', path: '/v1/events', headers: { 'Last-Event-ID': '2' }, ids: [3, 4] },
  ])('sends $situation', async ({ path, headers, ids }) => {
    expect(await idsUntil(await listen(path, headers), 4)).toEqual(ids);
  });

  it('sends the whole envelope with its type, the payload as an object', async () => {
    const { reply, reader, leave } = await listen('/v1/events', { 'Last-Event-ID': '3' });
    expect(reply.headers.get('content-type')).toMatch('text/event-stream');
    let text = '';
    while (!text.includes('data: ')) text += (await reader.read()).value ?? '';
    leave();
    expect(text).toContain('id: 4\nevent: maintenance.planned\ndata: ');
    expect(JSON.parse(/^data: (.*)$/m.exec(text)![1]!)).toMatchObject({
      priority: 'info',
      event_type: 'maintenance.planned',
      publisher_id: 'parley',
      payload: { session_id: sessionId },
    });
  });

  it('answers HEAD with the headers alone, and refuses it as GET', async () => {
    const { port } = server.address() as AddressInfo;
    const head = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD', headers: { 'X-Auth-Token': 'admin' } });
    const reply = await head('/v1/events');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(await reply.text()).toBe('');
    expect((await head('/v1/events?from=yesterday')).status).toBe(400);
  });

  it('sends only what comes from now on where that is asked for', async () => {
    const stream = await listen('/v1/events?from=now');
    await record(5, null);
    expect(await idsUntil(stream, 5)).toEqual([5]);
  });

  it('ends with the token: who may still read comes back with another one', async () => {
    tokensEndAtMs = Date.now() + 700;
    const { reader } = await listen('/v1/events?from=now');
    tokensEndAtMs = undefined;
    let last = await reader.read();
    while (!last.done) last = await reader.read();
    // A stream that stays open is seen by the test's time limit.
    expect(last.done).toBe(true);
  });

  it.each([
    { path: '/v1/events', headers: { 'Last-Event-ID': 'x' }, status: 400 },
    { path: '/v1/events', headers: { 'Last-Event-ID': '9999999999999999999' }, status: 400 },
    { path: '/v1/events?from=yesterday', headers: {}, status: 400 },
    { path: '/v1/events?project_id=x', headers: {}, status: 400 },
    { path: `/v1/events?project_id=${otherProject}`, headers: { 'X-Auth-Token': 'own' }, status: 403 },
  ])('$path with $headers is $status', async ({ path, headers, status }) => {
    const { reply, leave } = await listen(path, headers);
    leave();
    expect(reply.status).toBe(status);
  });
});

describe('GET /v1/maintenance/{session_id}/events', () => {
  const get = async (headers: Readonly<Record<string, string>> = {}) => {
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}/v1/maintenance/${sessionId}/events`, {
      headers: { 'X-Auth-Token': 'admin', ...headers },
    });
  };

  it('has the last 50 events that are published, the newest first', async () => {
    for (let position = 1; position <= 60; position += 1) await record(position, null);
    await db().event.update({ where: { sessionId_seq: { sessionId, seq: 60 } }, data: { position: null } });
    const { events } = (await (await get()).json()) as {
      events: { id: string; event_type: string; payload: object }[];
    };
    expect(events.map(({ id }) => Number(id))).toEqual(Array.from({ length: 50 }, (_, at) => 59 - at));
    expect(events[0]).toMatchObject({ event_type: 'maintenance.session', payload: { session_id: sessionId } });
  });

  it('tells the target of the move that has ended with the event, and of no other', async () => {
    const moved = { state: 'INSTANCE_ACTION_DONE', session_id: sessionId, project_id: ownProject };
    const endedAt = new Date('2026-03-01T12:00:00Z');
    const tell = (seq: number, instanceId: string, seconds: number) =>
      db().event.create({
        data: {
          ...{ sessionId, seq, position: BigInt(seq), messageId: randomUUID(), projectId: ownProject },
          ...{ eventType: 'maintenance.planned', payload: { ...moved, instance_ids: instanceId } },
          createdAt: new Date(endedAt.getTime() + 1000 * seconds),
        },
      });
    const instance = { instanceId: 'web', instanceName: 'web', projectId: ownProject, groupKey: 'web', amounts: {} };
    const claim = { ...instance, source: 'a', action: 'MIGRATE', phase: 'closed', recoveryTime: 0, sessionId };
    const startedAt = new Date('2026-03-01T11:59:50Z');
    await db().claim.create({ data: { ...claim, target: 'b', outcome: 'done', startedAt, endedAt } });
    await tell(1, 'web', -2);
    await tell(2, 'web', 1);
    await tell(3, 'other', 1);
    await tell(4, 'web', 61);
    const { events } = (await (await get()).json()) as { events: { words: string }[] };
    expect(
      events.map(({ words }) => words.slice(0, words.indexOf(' of ')) + words.slice(words.indexOf(' moved'))),
    ).toEqual(['web moved', 'other moved', 'web moved to b in 10s', 'web moved']);
  });

  it('is for admins', async () => {
    expect((await get({ 'X-Auth-Token': 'own' })).status).toBe(403);
  });
});
