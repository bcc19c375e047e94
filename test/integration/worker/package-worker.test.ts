/** The process of a packaged workflow, as the worker that has started it sees it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { connectTemporal } from '../../../temporal/connect';
import { createWorkflowCheck } from '../../../worker/check-workflow';
import { startPackageWorker } from '../../../worker/package-worker';
import { endlessLoop } from '../../builders/a-workflow-package';
import { closeNamespace, createNamespace } from '../rig/namespace';
import { testServices } from '../setup/services';

const { temporalAddress, workflowBundle: codePath } = testServices();
const served = { temporalAddress, workflowBundle: { codePath } };
const ownModule = 'workflow/own.js';

let folder: string;
let namespace: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
  await mkdir(path.join(folder, 'workflow'));
  namespace = await createNamespace(temporalAddress);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('says nothing while nothing is wrong: that it has no activities is as intended', async () => {
  await writeFile(path.join(folder, ownModule), "exports.name = 'own'; exports.states = {};");
  const lines: string[] = [];
  const worker = await startPackageWorker({
    ...{ ...served, namespace, taskQueue: 'own', folder, module: ownModule },
    logger: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
  });
  await worker.stop();
  expect(lines).toEqual([]);
});

it('has a workflow checked within a time limit: one that does not end loading is unfit', async () => {
  await writeFile(path.join(folder, ownModule), endlessLoop);
  const { client, close } = await connectTemporal({ temporalAddress, temporalNamespace: namespace });
  const check = createWorkflowCheck({ ...served, client, logger: pino({ level: 'silent' }), patienceSeconds: 1 });
  const candidate = {
    sessionId: 'a-session',
    workflow: 'own',
    folder,
    module: ownModule,
    signal: new AbortController().signal,
  };
  expect(await check(candidate)).toEqual({ kind: 'unfit', because: 'its module did not load within 1 s' });
  await closeNamespace(client);
  await close();
});
