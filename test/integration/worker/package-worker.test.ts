/** The process of a packaged workflow, as the worker that has started it sees it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { startPackageWorker } from '../../../worker/package-worker';
import { createNamespace } from '../rig/namespace';
import { testServices } from '../setup/services';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
  await mkdir(path.join(folder, 'workflow'));
  await writeFile(path.join(folder, 'workflow', 'own.js'), "exports.name = 'own'; exports.states = {};");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('says nothing while nothing is wrong: that it has no activities is as intended', async () => {
  const { temporalAddress, workflowBundle } = testServices();
  const lines: string[] = [];
  const worker = await startPackageWorker({
    temporalAddress,
    namespace: await createNamespace(temporalAddress),
    taskQueue: 'own',
    workflowBundle: { codePath: workflowBundle },
    folder,
    module: 'workflow/own.js',
    logger: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
  });
  await worker.stop();
  expect(lines).toEqual([]);
});
