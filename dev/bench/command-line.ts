/**
 * How soon the command line answers (`npm run bench:cli`): each command in a process of its own, by wall clock and by
 * processor time. `list` asks an API within this process that has no session, so its own time is all that counts.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { withoutSettings } from '../../cli/demo/demo-settings';
import { packageRoot } from '../../cli/package-root';
import { anyFreePort } from '../../cli/stack/ports';
import { runTool } from '../../config/run-program';
import { machineLine } from './machine';
import { percentile } from './percentile';
import { printTable } from './print-table';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '20' } } });

const commands = [['-V'], ['--help'], ['list', '--help'], ['completion', 'bash'], ['list']] as const;

/** Has a process tell its processor time, in microseconds, when it ends. */
const tellCpu =
  'data:text/javascript,import{writeSync}from"node:fs";' +
  'process.on("exit",()=>{const{user,system}=process.cpuUsage();writeSync(3,String(user+system))})';

interface Run {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** @throws Error when the command fails */
const run = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const given = ['--import', tellCpu, path.join(packageRoot, 'dist/cli/main.js'), ...args];
    const child = spawn(process.execPath, given, { env, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    let told = '';
    child.stdio[3]?.on('data', (chunk: Buffer) => (told += chunk.toString('utf8')));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ wallMs: performance.now() - startedMs, cpuMs: Number(told) / 1000 });
      else reject(new Error(`parley ${args.join(' ')} ended with ${String(code)}`));
    });
  });

const measure = async (args: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const runs: Run[] = [];
  for (let count = 0; count < Number(options.runs); count += 1) runs.push(await run(args, env));
  const of = (key: keyof Run, share: number): string =>
    percentile(
      runs.map((each) => each[key]),
      share,
    ).toFixed(0);
  return [`parley ${args.join(' ')}`, of('wallMs', 0.5), of('wallMs', 0.9), of('cpuMs', 0.5)];
};

const main = async (): Promise<void> => {
  const port = await anyFreePort();
  const api = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"sessions":[]}'),
  ).listen(port, '127.0.0.1');
  const env = { ...withoutSettings(process.env), PARLEY_URL: `http://127.0.0.1:${String(port)}` };
  const rows: (readonly string[])[] = [];
  for (const args of commands) rows.push(await measure(args, env));
  api.close();
  process.stdout.write(`\n${machineLine()}\n`);
  printTable(`The command line, ${options.runs} runs of each`, [['command', 'p50 ms', 'p90 ms', 'cpu ms'], ...rows]);
};

runTool('bench:cli', main);
