/**
 * A small VNFM, and the example for authors of one (docs/vnfm.md walks through it). It only uses the service's public
 * HTTP API. Usage: `node dist/examples/vnfm/vnfm.js DESCRIPTOR`, with PARLEY_URL in the environment (by default
 * http://127.0.0.1:12347) and, when the service asks for a token, VNFM_TOKEN.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

interface Descriptor {
  readonly name: string;
  readonly project_id: string;
  readonly groups: readonly { readonly group_id: string }[];
  readonly instances: readonly { readonly instance_id: string; instance_name: string; migration_type: string }[];
  readonly active_standby?: readonly [string, string]; // IDs: the instance that serves at first, and its standby
}

/** The fields of an event that this VNFM uses. Operators may rename the event, so its reply_url identifies it. */
interface Planned {
  readonly state: string;
  readonly instance_ids: string | readonly string[]; // a link to the list, one ID, a list, or '' for none
  readonly reply_url: string;
  readonly reply_at: string; // UTC without a zone; '' when nothing is asked
  readonly allowed_actions: readonly string[];
}

const parseDescriptor = (text: string): Descriptor => JSON.parse(text) as Descriptor;
const parsePlanned = (data: string): readonly Planned[] =>
  [(JSON.parse(data) as { payload: Planned }).payload].filter(({ reply_url }) => reply_url);
const parseList = (text: string): readonly string[] => (JSON.parse(text) as { instance_ids: string[] }).instance_ids;

const vnf = parseDescriptor(readFileSync(process.argv[2] ?? 'descriptor.json', 'utf8'));
const { PARLEY_URL = 'http://127.0.0.1:12347', VNFM_TOKEN } = process.env;
const api = `${PARLEY_URL}/v1`;
const headers = { 'content-type': 'application/json', ...(VNFM_TOKEN && { 'x-auth-token': VNFM_TOKEN }) };
const nameOf = new Map(vnf.instances.map(({ instance_id, instance_name }) => [instance_id, instance_name]));
const say = (text: string): void => console.log(`${vnf.name}: ${text}`);
const retryMs = 1_000;

/** Calls the service. A call that fails is repeated. A call that is refused (4xx) is not: it would be refused again. */
const call = async (method: string, url: string, body?: unknown): Promise<string> => {
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  for (let triesLeft = 5; ; triesLeft -= 1) {
    const response = await fetch(url, request).catch(() => undefined);
    if (response?.ok) return response.text();
    const why = response === undefined ? 'no answer' : await response.text();
    if (triesLeft === 1 || (response && response.status < 500)) throw new Error(`${method} ${url}: ${why}`);
    await pause(retryMs);
  }
};

/** Groups first: an instance that comes before its group counts as a member of a group with the strictest limit. */
const storeConstraints = async (): Promise<void> => {
  const { project_id } = vnf;
  for (const group of vnf.groups)
    await call('PUT', `${api}/instance_group/${group.group_id}`, { ...group, project_id });
  for (const one of vnf.instances) await call('PUT', `${api}/instance/${one.instance_id}`, { ...one, project_id });
  say(`constraints stored: ${vnf.groups.length} groups, ${vnf.instances.length} instances`);
};

const askedAbout = async ({ instance_ids }: Planned): Promise<readonly string[]> => {
  if (typeof instance_ids !== 'string') return instance_ids;
  return instance_ids === '' ? [] : parseList(await call('GET', instance_ids));
};

let [active, standby] = vnf.active_standby ?? [];

/** The work of a real VNFM begins here: it moves traffic to the standby before it lets the active one be touched. */
const switchOver = async (): Promise<void> => {
  say(`switching over from ${nameOf.get(active ?? '')} to ${nameOf.get(standby ?? '')}`);
  await pause(1_000);
  [active, standby] = [standby, active];
};

/** Each instance with the action of its constraints, when that is offered. The others get the default behaviour. */
const chooseActions = (ids: readonly string[], { allowed_actions: allowed }: Planned): Record<string, string> => {
  const chosen = vnf.instances.filter((one) => ids.includes(one.instance_id) && allowed.includes(one.migration_type));
  return Object.fromEntries(chosen.map(({ instance_id, migration_type }) => [instance_id, migration_type]));
};

/** A list: the question is about one instance, and its reply_url takes one action. */
const reply = async ({ reply_url, instance_ids }: Planned, state: string, instance_actions = {}): Promise<void> => {
  const [instance_action] = Object.values(instance_actions);
  await call('PUT', reply_url, { state, instance_actions, ...(Array.isArray(instance_ids) && { instance_action }) });
  const actions = Object.entries<string>(instance_actions).map(([id, action]) => `${action} ${nameOf.get(id)}`);
  say([state, ...actions].join(', '));
};

const agreeToMoves = async (event: Planned): Promise<void> => {
  const ids = await askedAbout(event);
  if (active !== undefined && ids.includes(active)) await switchOver();
  await reply(event, `ACK_${event.state}`, chooseActions(ids, event));
};

const agree = (event: Planned): Promise<void> => reply(event, `ACK_${event.state}`);
const answers = new Map<string, (event: Planned) => Promise<void>>([
  ['MAINTENANCE', agree],
  // This VNF has nothing to spare. A VNF that has instances to spare deletes them first, then answers ACK_SCALE_IN.
  ['SCALE_IN', (event) => reply(event, 'NACK_SCALE_IN')],
  ['PREPARE_MAINTENANCE', agreeToMoves],
  ['PLANNED_MAINTENANCE', agreeToMoves],
  ['MAINTENANCE_COMPLETE', agree],
]);

/** After a restart the stream begins again: skips events that can no longer be answered, and unknown states. */
const handle = async (event: Planned): Promise<void> => {
  if (event.reply_at !== '' && Date.parse(`${event.reply_at}Z`) < Date.now()) return;
  await answers.get(event.state)?.(event);
};

/** The project's events, for ever. An event counts as read after it was handled; otherwise it comes again. */
async function* plannedEvents(): AsyncGenerator<Planned> {
  const url = `${api}/events?project_id=${vnf.project_id}`;
  let lastId = '';
  for (;;) {
    try {
      const response = await fetch(url, { headers: { ...headers, 'last-event-id': lastId } });
      if (!response.ok) throw new Error(await response.text());
      for await (const record of recordsOf(response)) {
        const [data, id] = [/^data: ?(.*)$/m.exec(record)?.[1], /^id: ?(.*)$/m.exec(record)?.[1]];
        if (data !== undefined) yield* parsePlanned(data);
        lastId = id ?? lastId;
      }
    } catch (error) {
      say(`the event stream broke, trying again: ${String(error)}`);
    }
    await pause(retryMs);
  }
}

/** Records of server-sent events end with an empty line. */
async function* recordsOf({ body }: { readonly body: AsyncIterable<Uint8Array> | null }): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    const records = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = records.pop() ?? '';
    yield* records;
  }
}

const main = async (): Promise<void> => {
  await storeConstraints();
  for await (const event of plannedEvents()) await handle(event).catch((error: unknown) => say(String(error)));
};

main().catch((error: unknown) => {
  console.error(String(error));
  process.exitCode = 1;
});
