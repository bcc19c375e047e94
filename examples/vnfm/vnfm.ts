/**
 * A small VNFM, and the example for authors of one (docs/vnfm.md walks through it). Usage:
 * `node dist/examples/vnfm/vnfm.js DESCRIPTOR`, with PARLEY_URL in the environment (by default http://127.0.0.1:12347)
 * and, when the service asks for a token, VNFM_TOKEN.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Action, type Answer, manager, type Question } from 'parley/manager';

interface Descriptor {
  readonly name: string;
  readonly project_id: string;
  readonly groups: readonly object[];
  readonly instances: readonly { instance_id: string; instance_name: string; migration_type: Action }[];
  readonly active_standby?: readonly [string, string]; // IDs: the instance that serves at first, and its standby
}

const vnf = JSON.parse(readFileSync(process.argv[2] ?? 'descriptor.json', 'utf8')) as Descriptor;
const { PARLEY_URL: url = 'http://127.0.0.1:12347', VNFM_TOKEN: token } = process.env;
const say = (text: string): void => console.log(`${vnf.name}: ${text}`);
const nameOf = new Map(vnf.instances.map(({ instance_id, instance_name }) => [instance_id, instance_name]));

/** The work of a real VNFM begins here: it moves traffic to the standby before it lets the active one be touched. */
let [active, standby] = vnf.active_standby ?? [];
let switching = Promise.resolve();
const spare = async (ids: readonly string[]): Promise<void> => {
  if (active === undefined || !ids.includes(active)) return;
  say(`switching over from ${nameOf.get(active)} to ${nameOf.get(standby ?? '')}`);
  await pause(1_000);
  [active, standby] = [standby, active];
};

/** Each instance with the action of its constraints, when that is offered. The others get the default behaviour. */
const agreeToMoves = async ({ state, instanceIds: ids, allowedActions }: Question): Promise<Answer> => {
  await (switching = switching.then(() => spare(ids))); // Questions come side by side, and there is one pair.
  const chosen = vnf.instances.filter((one) => ids.includes(one.instance_id));
  const offered = chosen.filter(({ migration_type }) => allowedActions.includes(migration_type));
  say([`ACK_${state}`, ...offered.map((one) => `${one.migration_type} ${one.instance_name}`)].join(', '));
  return { actions: Object.fromEntries(offered.map((one) => [one.instance_id, one.migration_type])) };
};

const answer = (given: 'ACK' | 'NACK') => (question: Question) => {
  say(`${given}_${question.state}`);
  return given;
};

const main = async (): Promise<void> => {
  const own = manager({ url, token, projectId: vnf.project_id, tell: say });
  await own.store(vnf);
  say(`constraints stored: ${vnf.groups.length} groups, ${vnf.instances.length} instances`);
  await own.run({
    MAINTENANCE: answer('ACK'),
    SCALE_IN: answer('NACK'), // A VNF that has instances to spare deletes them first, then agrees.
    PREPARE_MAINTENANCE: agreeToMoves,
    PLANNED_MAINTENANCE: agreeToMoves,
    MAINTENANCE_COMPLETE: answer('ACK'),
  });
};

main().catch((error: unknown) => {
  console.error(String(error));
  process.exitCode = 1;
});
