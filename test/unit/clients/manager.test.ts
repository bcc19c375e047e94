/** What the managers' module does with events and replies, on a service of the test's own. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type Handlers, manager, type ManagerOptions, type PlannedEvent, Refused } from '../../../clients/node/manager';
import { eventually } from '../../waiting/eventually';

interface Taken {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly token: string | undefined;
}

const projectId = 'project-1';
const taken: Taken[] = [];
const streams: { readonly lastId: string; readonly response: ServerResponse }[] = [];
/** Answers in their order; then each request is taken. */
let answers: { status: number; body?: object }[] = [];
let told: string[] = [];
let ended = new AbortController();

const service = createServer((request, response) => void serve(request, response));

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url: path = '', headers } = request;
  if (path.startsWith('/v1/events')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    streams.push({ lastId: String(headers['last-event-id'] ?? ''), response });
    return;
  }
  const sent = await text(request);
  taken.push({
    method,
    path,
    body: sent === '' ? undefined : JSON.parse(sent),
    token: headers['x-auth-token'] as string,
  });
  if (method === 'GET') return void response.end(JSON.stringify({ instance_ids: ['listed-1', 'listed-2'] }));
  const { status, body = { failed: [] } } = answers.shift() ?? { status: 200 };
  response.writeHead(status).end(JSON.stringify(body));
};

const url = (): string => `http://127.0.0.1:${String((service.address() as AddressInfo).port)}`;
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19);

const anEvent = (given: Partial<PlannedEvent> = {}): PlannedEvent => ({
  state: 'PLANNED_MAINTENANCE',
  session_id: 'session-1',
  project_id: projectId,
  instance_ids: ['vm-1'],
  allowed_actions: ['LIVE_MIGRATE', 'MIGRATE'],
  reply_url: `${url()}/v1/reply`,
  reply_at: inSeconds(60),
  actions_at: inSeconds(60),
  metadata: {},
  ...given,
});

const emit = async (id: string, event: PlannedEvent, messageId = id): Promise<void> => {
  const { response } = await eventually('a stream is open', () => Promise.resolve(streams.at(-1)));
  const record = { message_id: messageId, event_type: 'maintenance.planned', payload: event };
  response.write(`id: ${id}\ndata: ${JSON.stringify(record)}\n\n`);
};

let run: Promise<void> | undefined;
const start = (handlers: Handlers, options: Partial<ManagerOptions> = {}): void => {
  const own = manager({ url: url(), projectId, tell: (line) => told.push(line), ...options });
  run = own.run(handlers, { signal: ended.signal });
};

const untilTaken = (count: number): Promise<true> =>
  eventually(`${String(count)} requests are taken`, () => Promise.resolve(taken.length >= count || undefined));
const bodies = (): unknown[] => taken.filter(({ method }) => method === 'PUT').map(({ body }) => body);

beforeAll(() => once(service.listen(0, '127.0.0.1'), 'listening'));
beforeEach(() => {
  [taken.length, streams.length, answers, told, ended, run] = [0, 0, [], [], new AbortController(), undefined];
});
afterEach(async () => {
  ended.abort();
  await run?.catch(() => undefined);
  for (const { response } of streams) response.end();
});
afterAll(() => {
  service.close();
  service.closeAllConnections();
});

describe('an answer', () => {
  it.each<{ what: string; event: Partial<PlannedEvent>; handlers: Handlers; sent: object }>([
    {
      what: 'about one instance has one action',
      event: {},
      handlers: { PLANNED_MAINTENANCE: ({ instanceIds }) => ({ actions: { [instanceIds[0]!]: 'MIGRATE' } }) },
      sent: { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'MIGRATE' },
    },
    {
      what: 'about all instances of a host has an action for each of the list behind the link',
      event: { instance_ids: 'LINK' },
      handlers: {
        PLANNED_MAINTENANCE: ({ instanceIds }) => ({
          actions: Object.fromEntries(instanceIds.map((id) => [id, 'LIVE_MIGRATE'])),
        }),
      },
      sent: {
        state: 'ACK_PLANNED_MAINTENANCE',
        instance_actions: { 'listed-1': 'LIVE_MIGRATE', 'listed-2': 'LIVE_MIGRATE' },
      },
    },
    {
      what: 'may put one instance off',
      event: { not_before_latest: '2040-01-02T00:00:00' },
      handlers: { PLANNED_MAINTENANCE: ({ notBeforeLatest }) => ({ notBefore: notBeforeLatest! }) },
      sent: { state: 'ACK_PLANNED_MAINTENANCE', not_before: '2040-01-02T00:00:00.000Z' },
    },
    {
      what: 'may put some instances of a session off',
      event: { state: 'MAINTENANCE', instance_ids: 'LINK', not_before_latest: '2040-01-02T00:00:00' },
      handlers: {
        MAINTENANCE: ({ instanceIds, notBeforeLatest }) => ({
          instanceNotBefore: Object.fromEntries(instanceIds.slice(1).map((id) => [id, notBeforeLatest!])),
        }),
      },
      sent: {
        ...{ state: 'ACK_MAINTENANCE', instance_actions: {} },
        instance_not_before: { 'listed-2': '2040-01-02T00:00:00.000Z' },
      },
    },
    {
      what: 'may refuse',
      event: { state: 'SCALE_IN', instance_ids: '' },
      handlers: { SCALE_IN: ({ instanceIds }) => (instanceIds.length === 0 ? 'NACK' : 'ACK') },
      sent: { state: 'NACK_SCALE_IN', instance_actions: {} },
    },
  ])('$what', async ({ event, handlers, sent }) => {
    start(handlers, { token: () => 'secret' });
    const { instance_ids: ids = ['vm-1'] } = event;
    await emit('1', anEvent({ ...event, instance_ids: ids === 'LINK' ? `${url()}/v1/list` : ids }));
    await eventually('a reply came', () => Promise.resolve(bodies()[0]));
    expect(bodies()).toEqual([{ session_id: 'session-1', ...sent }]);
    expect(new Set(taken.map(({ token }) => token))).toEqual(new Set(['secret']));
  });

  it('is sent again until the service takes it', async () => {
    answers = [{ status: 503, body: { detail: 'the database does not answer' } }];
    start({ PLANNED_MAINTENANCE: () => 'ACK' });
    await emit('1', anEvent());
    await untilTaken(2);
    expect(told).toEqual([expect.stringMatching(/the database does not answer; the request is sent again/)]);
  });

  it('that is refused is told with what would help, and not sent again', async () => {
    answers = [{ status: 422, body: { detail: 'too late', hint: 'reply before reply_at' } }];
    start({ PLANNED_MAINTENANCE: () => 'ACK' });
    await emit('1', anEvent());
    await eventually('the refusal is told', () => Promise.resolve(told[0]));
    expect(told).toEqual([expect.stringMatching(/was refused: .*422 too late; reply before reply_at/)]);
    await emit('2', anEvent());
    await untilTaken(2);
    expect(taken).toHaveLength(2);
  });

  it('that takes long holds up no other one', async () => {
    start({
      PLANNED_MAINTENANCE: async ({ instanceIds }) => {
        if (instanceIds[0] === 'slow') await eventually('the other was answered', () => Promise.resolve(taken[0]));
        return { actions: { [instanceIds[0]!]: 'MIGRATE' } };
      },
    });
    await emit('1', anEvent({ instance_ids: ['slow'] }));
    await emit('2', anEvent({ instance_ids: ['quick'], reply_url: `${url()}/v1/quick` }));
    await untilTaken(2);
    expect(taken.map(({ path }) => path)).toEqual(['/v1/quick', '/v1/reply']);
  });
});

describe('events', () => {
  it('that come twice, are over, or are not for a handler, lead to no second answer', async () => {
    const heard: string[] = [];
    start({ PLANNED_MAINTENANCE: () => 'ACK', told: ({ state }) => void heard.push(state) });
    await emit('1', anEvent({ reply_at: inSeconds(-5) }));
    await emit('2', anEvent());
    await emit('3', anEvent(), '2');
    await emit('4', anEvent({ state: 'INSTANCE_ACTION_DONE', reply_url: '', reply_at: '', instance_ids: 'vm-1' }));
    await emit('5', anEvent({ state: 'MAINTENANCE' }));
    await eventually('the last is heard', () => Promise.resolve(heard.length === 2 || undefined));
    expect(heard).toEqual(['INSTANCE_ACTION_DONE', 'MAINTENANCE']);
    await untilTaken(1);
    expect(taken).toHaveLength(1);
  });

  it('whose handler throws are told, and others go on', async () => {
    start({
      MAINTENANCE: () => {
        throw new Error('no such network');
      },
      PLANNED_MAINTENANCE: () => undefined,
      MAINTENANCE_COMPLETE: () => 'ACK',
    });
    await emit('1', anEvent({ state: 'MAINTENANCE' }));
    await emit('2', anEvent());
    await emit('3', anEvent({ state: 'MAINTENANCE_COMPLETE', instance_ids: '' }));
    await untilTaken(1);
    expect(told).toEqual(['Error: no such network']);
    expect(bodies()).toMatchObject([{ state: 'ACK_MAINTENANCE_COMPLETE' }]);
  });

  it('go on after a break from the last one, and after a restart from the first one that was not handled', async () => {
    const kept: string[] = [];
    const position = { load: () => '7', save: (id: string) => void kept.push(id) };
    let answerSlow = (): void => undefined;
    const slow = new Promise<void>((resolve) => (answerSlow = resolve));
    start({ MAINTENANCE: () => slow.then(() => 'ACK'), PLANNED_MAINTENANCE: () => 'ACK' }, { position });
    await emit('8', anEvent());
    await emit('9', anEvent({ state: 'MAINTENANCE' }));
    await emit('10', anEvent());
    await untilTaken(2);
    streams[0]!.response.end();
    await eventually('the stream is opened again', () => Promise.resolve(streams[1]));
    expect(streams.map(({ lastId }) => lastId)).toEqual(['7', '10']);
    expect(kept).toEqual(['8']);
    answerSlow();
    await eventually('the position is kept', () => Promise.resolve(kept[1]));
    expect(kept).toEqual(['8', '10']);
  });

  it('end when the program says so, also while an answer is on its way', async () => {
    answers = Array.from({ length: 9 }, () => ({ status: 503 }));
    start({ PLANNED_MAINTENANCE: () => 'ACK' });
    await emit('1', anEvent());
    await untilTaken(1);
    ended.abort();
    await run;
    const until = taken.length;
    await pause(700);
    expect(taken).toHaveLength(until);
  });
});

describe('constraints', () => {
  it('are stored groups first, a thousand in a request, as those of the project', async () => {
    const instances = Array.from({ length: 1_001 }, (_, index) => ({ instance_id: `vm-${String(index)}` }));
    await manager({ url: `${url()}/`, projectId }).store({ groups: [{ group_id: 'g' }], instances });
    const sizes = bodies().map((body) =>
      Object.entries(body as Record<string, unknown[]>).map(([name, items]) => [name, items.length]),
    );
    expect(sizes).toEqual([[['instance_groups', 1]], [['instances', 1_000]], [['instances', 1]]]);
    expect(bodies()[0]).toEqual({ instance_groups: [{ group_id: 'g', project_id: projectId }] });
  });

  it('that the service does not take are named', async () => {
    answers = [
      { status: 200, body: { failed: [{ pointer: '/instances/0', problem: { detail: 'no such instance' } }] } },
    ];
    const stored = manager({ url: url(), projectId }).store({ instances: [{}] });
    await expect(stored).rejects.toThrow(new Refused('/instances/0: no such instance', 422));
  });
});
