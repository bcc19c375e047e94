/**
 * Measures how long it takes to look at a large session: its summary, its whole detail, the list of sessions, and one
 * picture of `parley watch`, on stored rows with no session running (`npm run bench:looks`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SessionSummaryBody } from '../../api/schemas/summary-schemas';
import { paintFor } from '../../cli/client/render/paint';
import { watchPicture } from '../../cli/client/render/watch';
import { runTool } from '../../config/run-program';
import { generateFleet } from './generate-fleet';
import { machineLine } from './machine';
import { mean, percentile } from './percentile';
import { printTable } from './print-table';
import { processorSeconds } from './processes';
import { type StoredService, withStoredService } from './stored-service';
import { storeSession } from './stored-session';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000' },
    instances: { type: 'string', default: '10500' },
    seeds: { type: 'string', default: '1,2,3' },
    looks: { type: 'string', default: '40' },
  },
});

interface Look {
  readonly name: string;
  /** The aim, in milliseconds. */
  readonly aimMs?: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Done with the answer as part of the look. */
  readonly draw?: (text: string) => unknown;
}

const screen = { columns: 120, rows: 50, paint: paintFor(true) };

const picture = (text: string): string => {
  const summary = JSON.parse(text) as SessionSummaryBody;
  return watchPicture({ summary, ageSeconds: 0.2, events: [] }, screen).join('\n');
};

const looksAt = (id: string): readonly Look[] => [
  { name: 'summary', aimMs: 50, path: `/maintenance/${id}/detail?view=summary` },
  { name: 'whole detail', aimMs: 500, path: `/maintenance/${id}/detail`, headers: { 'accept-encoding': 'identity' } },
  { name: 'whole detail, compressed', path: `/maintenance/${id}/detail`, headers: { 'accept-encoding': 'gzip' } },
  { name: 'list of sessions', path: '/maintenance' },
  { name: 'open questions', path: '/questions' },
  { name: 'parley watch, look and picture', aimMs: 200, path: `/maintenance/${id}/detail?view=summary`, draw: picture },
];

interface Row extends Look {
  readonly seed: number;
  readonly wallMs: readonly number[];
  readonly kilobytes: number;
  /** The processor time of one look: of the API together with the caller, and of PostgreSQL. */
  readonly processorMs: { readonly api: number; readonly postgres: number };
}

const lookOnce = async ({ api }: StoredService, { path, headers = {}, draw }: Look): Promise<number> => {
  const response = await fetch(`${api}/v1${path}`, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${text}`);
  draw?.(text);
  return text.length;
};

const warmUp = 15;

const measure = async (service: StoredService, look: Look, seed: number): Promise<Row> => {
  const times = Number(options.looks);
  for (let done = 0; done < warmUp; done += 1) await lookOnce(service, look);
  const wallMs: number[] = [];
  let characters = 0;
  const [before, postgresBefore] = [process.cpuUsage(), await processorSeconds(service.postgresPid)];
  for (let done = 0; done < times; done += 1) {
    const startedMs = performance.now();
    characters = await lookOnce(service, look);
    wallMs.push(performance.now() - startedMs);
  }
  const { user, system } = process.cpuUsage(before);
  const postgres = ((await processorSeconds(service.postgresPid)) - postgresBefore) * 1000;
  return {
    ...look,
    seed,
    wallMs,
    kilobytes: characters / 1024,
    processorMs: { api: (user + system) / 1000 / times, postgres: postgres / times },
  };
};

/** The first look wants a plan, which is made in the background and kept: what is measured is a look after that. */
const untilPlanned = async ({ api }: StoredService, id: string): Promise<void> => {
  for (let seconds = 0; seconds < 120; seconds += 1) {
    const response = await fetch(`${api}/v1/maintenance/${id}/detail?view=summary`);
    if (((await response.json()) as SessionSummaryBody).end_from === 'plan') return;
    await sleep(1_000);
  }
  throw new Error('no plan of the session was made within two minutes');
};

const measureSeed = (seed: number): Promise<Row[]> => {
  const [hosts, instances] = [Number(options.hosts), Number(options.instances)];
  const fleet = generateFleet({ hosts, instances, seed, recoverySeconds: 60 });
  return withStoredService(fleet, async (service) => {
    const id = await storeSession(service.db);
    await untilPlanned(service, id);
    const rows: Row[] = [];
    for (const look of looksAt(id)) rows.push(await measure(service, look, seed));
    return rows;
  });
};

const heading = ['look', 'seed', 'KB', 'aim ms', 'p50 ms', 'p90 ms', 'mean ms', 'api cpu ms', 'PostgreSQL cpu ms'];

const cellsOf = ({ name, seed, kilobytes, aimMs, wallMs, processorMs }: Row): string[] => [
  ...[name, String(seed), kilobytes.toFixed(0), aimMs === undefined ? '-' : String(aimMs)],
  ...[percentile(wallMs, 0.5), percentile(wallMs, 0.9), mean(wallMs)].map((ms) => ms.toFixed(1)),
  ...[processorMs.api, processorMs.postgres].map((ms) => ms.toFixed(1)),
];

const main = async (): Promise<void> => {
  const rows: Row[] = [];
  for (const seed of options.seeds.split(',').map(Number)) rows.push(...(await measureSeed(seed)));
  const settings = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  process.stdout.write(`\n${machineLine()}\n${settings.join(' ')}\n`);
  const byLook = rows.toSorted((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  printTable('Looks at a session', [heading, ...byLook.map(cellsOf)]);
};

runTool('bench:looks', main);
