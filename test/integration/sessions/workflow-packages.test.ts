/**
 * Sessions whose workflow a package brought: the example goes through a whole session, over failures and restarts;
 * broken ones fail the session and say why, before anything is done or at the state that is wrong.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { sessionTaskQueue } from '../../../messages/workflow-messages';
import { endlessLoop } from '../../builders/a-workflow-package';
import { aZip } from '../../builders/a-zip';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import { resume, untilDone, untilFailed } from '../resume/resumed-session';
import { expectWorkDoneToStay, factsOf } from '../resume/session-facts';
import type { Admin } from '../rig/admin';

const examples = path.join(__dirname, '..', '..', '..', 'examples', 'packages');
const example = aZone(0, { hosts: { a: {}, b: {}, c: {} }, instances: [[1, 'a']] });
const hostsOfTheirOwn = Array.from({ length: 40 }, (_, n) => `h${n}`);
const others = aZone(1, { hosts: Object.fromEntries(hostsOfTheirOwn.map((name) => [name, { maintenance_s: 1 }])) });

let packages: PackageRig;
let rig: PackageRig['rig'];
let admin: Admin;
let server: PackageRig['server'];

beforeAll(async () => {
  packages = await startPackageRig({
    fleet: aFleetOfZones([example, others]),
    environment: { PARLEY_MAX_SESSIONS: '50' },
  });
  ({ rig, admin, server } = packages);
});

afterAll(() => packages.stop());

let used = 0;

type PackageFiles = Readonly<Record<string, string>>;

const zipOf = (files: PackageFiles) => aZip(Object.entries(files).map(([name, content]) => ({ name, content })));

/** A session of one empty host whose packages hold these files for its workflow `own`. */
const create = (files: PackageFiles, request: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const host = others.hostNames[used++]!;
  const file = `/workflow-${used}.zip`;
  server.serve(file, zipOf(files));
  return admin.create({ hosts: [host], workflow: 'own', download: [`${server.url}${file}`], ...request });
};

const statesOf = async (sessionId: string): Promise<readonly string[]> => (await factsOf(rig, sessionId)).states;

/** A workflow `own` that has the default's states and these. */
const ownWorkflow = (states: string): PackageFiles => ({
  'own.js': `const { defaultWorkflow } = require('parley');
exports.name = 'own';
exports.states = { ...defaultWorkflow.states, ${states} };`,
});

it('runs the example through a whole session, over a restart of the worker and a failure in its own state', async () => {
  server.serve('/soaking-workflow.tgz', execFileSync('tar', ['cz', '-C', path.join(examples, 'workflow'), '.']));
  const sessionId = await admin.create({
    hosts: example.hostNames,
    workflow: 'soaking',
    metadata: { soak_seconds: 5 },
    download: [`${server.url}/soaking-workflow.tgz`],
    actions: [
      { plugin: 'dummy', type: 'host' },
      { plugin: 'dummy', type: 'post', metadata: { seconds: 0, fail_times: 1 } },
    ],
  });
  await admin.until(sessionId, 'PLANNED_MAINTENANCE', 'START_MAINTENANCE');
  await rig.restartWorker();
  const { state } = await admin.until(sessionId, 'SOAKING');
  expect(state).toBe('SOAKING');
  await rig.restartWorker();
  const failed = await untilFailed(admin, sessionId);
  expect(failed.session).toMatchObject({ workflow: 'soaking', prev_state: 'SOAKING' });
  expect(failed.session.failure).toContain('action plug-in dummy (post) failed');
  const before = await factsOf(rig, sessionId);
  await rig.restartWorker();

  await resume(admin, sessionId, 'SOAKING');
  const done = await untilDone(admin, sessionId);
  expect(done.percent_done).toBe(100);
  const after = await factsOf(rig, sessionId);
  expectWorkDoneToStay(before, after);
  expect(after.states.slice(-5)).toEqual([
    'SOAKING',
    'MAINTENANCE_FAILED',
    'SOAKING',
    'MAINTENANCE_COMPLETE',
    'MAINTENANCE_DONE',
  ]);
  const run = rig.client.workflow.getHandle(sessionId);
  // The session's row is done a moment before its workflow is.
  await run.result();
  expect(await run.describe()).toMatchObject({ taskQueue: sessionTaskQueue(sessionId), status: { name: 'COMPLETED' } });
  await eventually('its queue is served no more', async () => {
    const session = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return session.workflowModule === null || undefined;
  });
});

const noState = "exports.name = 'own'; exports.states = { MAINTENANCE() { return 'MAINTENANCE_DONE'; } };";

const startAtOnce = { state: 'TRYING', maintenance_at: '2026-01-01 00:00:00' };
const faultyStates = [
  { what: 'throws', code: "throw new RangeError('no spare host');", says: 'state TRYING: RangeError: no spare host' },
  { what: 'returns what is no state', code: "return 'TYRING';", says: 'its state TRYING leads to TYRING, which' },
  { what: 'returns nothing', code: '', says: 'its state TRYING leads to undefined, which it does not have' },
  { what: 'works on hosts in a state of its own', code: 'return session.roll();', says: 'not for TRYING' },
  { what: 'loops for ever', code: endlessLoop, says: 'does not run: ' },
  {
    what: 'leaves a rejected promise behind',
    code: "void Promise.reject(new Error('nobody looks')); await require('@temporalio/workflow').sleep(60_000);",
    says: 'does not run: ',
  },
] as const;

/** Begun beside the modules that cannot run: both wait for limits. */
const tryingSessions: Promise<string>[] = [];

const tryAll = (): void => {
  if (tryingSessions.length > 0) return;
  for (const { code } of faultyStates) {
    tryingSessions.push(create(ownWorkflow(`async TRYING(session) { ${code} }`), startAtOnce));
  }
};

/** One fault of each kind. test/unit/workflows/check.test.ts has the words for all of them. */
describe('a module that cannot run', () => {
  const rows = [
    { what: 'has a syntax error', files: { 'own.js': 'const = 1;' }, says: 'workflow/own.js:1: Unexpected token' },
    { what: 'is an ES module', files: { 'own.mjs': 'export default {};' }, says: 'modules are CommonJS' },
    {
      what: 'lacks the state that the session begins in',
      files: { 'own.js': noState },
      request: { state: 'PLANNED_MAINTENANCE' },
      says: 'cannot begin in PLANNED_MAINTENANCE: its states are MAINTENANCE',
    },
    {
      what: 'empties one host at a time, where the request has a cap on hosts',
      files: ownWorkflow(''),
      request: { max_parallel_hosts: 2 },
      says: 'empties one host at a time: max_parallel_hosts is for vnf',
    },
    { what: 'wants a module of Node.js', files: { 'own/index.js': "require('fs');" }, says: 'requires "fs"' },
    { what: 'does not end loading', files: { 'own.js': endlessLoop }, says: /execution timed out|did not load/ },
  ] as const;
  const sessions: Promise<string>[] = [];

  beforeAll(async () => {
    for (const { files, ...row } of rows) sessions.push(create(files, 'request' in row ? row.request : {}));
    // Each is looked at in a process of its own: not all at once. The last one takes its time, and they have it.
    for (const session of sessions.slice(0, -1)) {
      await untilFailed(admin, await session).catch(() => undefined); // its own test reports it
    }
    tryAll();
  });

  it.each(rows.map((row, index) => ({ ...row, index })))(
    'that $what fails the session in its set-up, and says so',
    async ({ says, index }) => {
      const sessionId = await sessions[index]!;
      const { session, hosts } = await untilFailed(admin, sessionId);
      expect(session.failure).toMatch(says);
      expect(session.failure).toContain('workflow own (workflow/own');
      expect(hosts).toMatchObject([{ disabled: false, maintained: false }]);
      expect(existsSync(path.join(packages.root, sessionId))).toBe(false);
    },
  );

  it('may be mended: the resumed session runs it', async () => {
    const sessionId = await create({ 'own.js': 'exports.name = ;' });
    await untilFailed(admin, sessionId);
    server.serve(`/workflow-${used}.zip`, zipOf(ownWorkflow('')));
    await resume(admin, sessionId);
    await untilDone(admin, sessionId);
    expect(await statesOf(sessionId)).toContain('START_MAINTENANCE');
  });
});

describe('a state that cannot go on', () => {
  beforeAll(tryAll); // where only these tests are run

  it.each(faultyStates.map((row, index) => ({ ...row, index })))(
    'because it $what fails the session there, and says so',
    async ({ says, index }) => {
      const sessionId = await tryingSessions[index]!;
      const { session } = await untilFailed(admin, sessionId);
      expect(session).toMatchObject({ prev_state: 'TRYING', failure: expect.stringContaining(says) as string });
      expect(session.failure).toContain('workflow own');
    },
  );
});
