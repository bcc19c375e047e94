/** The Python package for managers (clients/python): its own tests, its types, and a session over a manager of it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, fillInCache } from '../../../cli/stack/cache';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost } from '../../builders/a-fleet-file';
import { findPython } from '../../run/find-python';
import { anAdmin } from '../rig/admin';
import { type Rig, startRig } from '../rig/rig';
import { type Door, openDoor } from './door';

const folder = path.join(__dirname, '../../../clients/python');
const run = promisify(execFile);
const neededBy = 'the tests run the Python package for managers';
const env = { ...process.env, PYTHONPATH: path.join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' };

/** `mypy` of a virtual environment in the user's cache. */
const findMypy = async (): Promise<string> => {
  const version = '1.18.2';
  const cached = path.join(cacheFolder(process.env), `mypy-${version}`);
  const python = path.join(cached, 'bin', 'python');
  await fillInCache(cached, async (growing) => {
    await run(await findPython(neededBy), ['-m', 'venv', growing]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `mypy==${version}`];
    await run(path.join(growing, 'bin', 'python'), pip, { timeout: 10 * 60_000 });
  });
  return python;
};

it('passes its own tests', async () => {
  const tests = ['-m', 'unittest', 'discover', '-s', '.', '-p', 'test_*.py'];
  const { stderr } = await run(await findPython(neededBy), tests, { cwd: folder, env });
  expect(stderr).toMatch(/^Ran [1-9]\d* tests/m);
  expect(stderr).toMatch(/^OK$/m);
});

it('has types that hold', async () => {
  const { stdout } = await run(await findMypy(), ['-m', 'mypy', '--cache-dir', '/dev/null'], { cwd: folder, env });
  expect(stdout).toMatch(/^Success: no issues found/);
});

describe('a manager in a few lines', () => {
  const group = aFleetGroup({ recovery_time: 0 });
  const instance = aConstrainedInstance({ move_s: 1, lead_time: 60, max_interruption_time: 60 });
  const { project_id: projectId } = instance;
  const constraints = {
    groups: [group],
    instances: [
      {
        ...{ instance_id: instance.instance_id, instance_name: instance.instance_name, group_id: group.group_id },
        ...{ migration_type: 'LIVE_MIGRATE', lead_time: 60, max_interruption_time: 60, resource_mitigation: false },
      },
    ],
  };
  const program = `
import json, os
from parley_manager import Manager
manager = Manager(os.environ["PARLEY_URL"], os.environ["PROJECT_ID"])
manager.store(**json.loads(os.environ["CONSTRAINTS"]))
agree = lambda question: "ACK"
manager.run({
    "MAINTENANCE": agree,
    "PLANNED_MAINTENANCE": lambda question: {one: "MIGRATE" for one in question.instance_ids},
    "MAINTENANCE_COMPLETE": agree,
})`;

  let door: Door;
  let rig: Rig;
  let manager: ChildProcess | undefined;
  beforeAll(async () => {
    const hosts = ['compute-1', 'compute-2'].map((name) => aFleetHost({ name, maintenance_s: 0 }));
    const fleet = aFleetFile({ hosts, groups: [group], instances: [instance] });
    door = await openDoor(() => rig.url);
    const environment = { PARLEY_BASE_URL: door.url, PARLEY_PROJECT_REPLY_SECONDS: '120' };
    rig = await startRig({ fleet, storeConstraints: false, environment });
    const given = {
      PARLEY_URL: door.url,
      PROJECT_ID: projectId,
      CONSTRAINTS: JSON.stringify(constraints),
    };
    manager = spawn(await findPython(neededBy), ['-c', program], { env: { ...env, ...given }, stdio: 'inherit' });
  });
  afterAll(async () => {
    if (manager?.kill('SIGKILL') === true) await once(manager, 'exit');
    door.close();
    await rig.stop();
  });

  it.each(['default', 'vnf'])('answers all questions of a session of %s', async (workflow) => {
    const admin = anAdmin(rig.url);
    const sessionId = await admin.create({ workflow });
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    const questions = await rig.db.question.findMany({ where: { sessionId } });
    expect(new Set(questions.map(({ answer }) => answer))).toEqual(new Set(['ACK']));
    const claims = await rig.db.claim.findMany({ where: { sessionId } });
    expect(claims.map(({ action, outcome }) => ({ action, outcome }))).toEqual(
      claims.map(() => ({ action: 'MIGRATE', outcome: 'done' })),
    );
  });
});
