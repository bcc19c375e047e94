import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

// V8 only prints a line where it does not know a flag, and a later one may have given this up.
it('asks for what this V8 knows', async () => {
  const [loader, file] = ['../../run/run-typescript.cjs', '../../../worker/keep-heap-small.ts'];
  const script = `require(${JSON.stringify(path.join(__dirname, file))}).keepHeapSmall()`;
  const run = promisify(execFile)(process.execPath, ['--require', path.join(__dirname, loader), '--eval', script]);
  expect(await run).toEqual({ stdout: '', stderr: '' });
});
