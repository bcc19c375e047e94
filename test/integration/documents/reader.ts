/**
 * Somebody who types the commands of a document, in a shell, and in further terminals what goes on running. Only
 * ports and folders are others, and work of the operator that the page has take long is soon done.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { eventually, Hopeless } from '../../waiting/eventually';
import { root } from './commands-in';

export interface Reader {
  readonly port: number;
  /** Stands for `.parley`, where the service that they start keeps its data. */
  readonly dataDir: string;
  /** Types a command and waits for its end. @returns what it printed; throws where it or the service refuses */
  type(command: string): Promise<string>;
  /** Types it in a terminal of its own, where it goes on running. @returns what it has printed so far */
  typeAside(command: string): () => string;
  /** Waits until the service answers that it is ready. */
  untilReady(): Promise<void>;
  leave(): Promise<void>;
}

/** `make up` and `npm run build` have done their building before the tests begin (npm run test:integration). */
const prelude = 'make() { if [ "$1" = up ]; then exec node bin/parley up; fi; }; exec 2>&1;';

export const aReader = async (): Promise<Reader> => {
  const [port, otherPort] = [await anyFreePort(), await anyFreePort()];
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-reader-'));
  await chmod(dataDir, 0o755);
  const env = {
    ...process.env,
    ...{ DATABASE_URL: '', PARLEY_TEMPORAL_ADDRESS: '', PARLEY_DATA_DIR: dataDir, PARLEY_PORT: String(port) },
    PARLEY_URL: `http://127.0.0.1:${port}`,
    // The Node.js that runs this also runs the service.
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  };
  const open = (args: readonly string[]): ChildProcess =>
    spawn('bash', args, { cwd: root, env, stdio: 'pipe', detached: true });
  const here = (command: string): string =>
    command
      .replaceAll('127.0.0.1:12347', `127.0.0.1:${port}`)
      .replaceAll('8099', String(otherPort))
      .replaceAll('.parley/', `${dataDir}/`)
      .replaceAll('/tmp/packages', `${dataDir}/packages`)
      .replaceAll('"seconds": 90', '"seconds": 9');
  const shell = open(['--noprofile', '--norc']);
  shell.stdin?.write(`${prelude}\n`);
  const printed = collect(shell);
  const aside: { readonly terminal: ChildProcess; readonly printed: () => string }[] = [];
  let typed = 0;
  return {
    port,
    dataDir,
    async type(command) {
      const end = `end-of-command-${(typed += 1)}`;
      const before = printed().length;
      shell.stdin?.write(`${here(command)}\necho "${end}:$?"\n`);
      const output = await eventually(`the end of ${command}`, () => {
        const text = printed().slice(before);
        return Promise.resolve(new RegExp(`${end}:\\d`).test(text) ? text : undefined);
      });
      if (!output.includes(`${end}:0`) || output.includes('"code":')) throw new Error(`${command}\n${output}`);
      return output.slice(0, output.indexOf(end));
    },
    typeAside(command) {
      const terminal = open(['--noprofile', '--norc', '-c', `${prelude} ${here(command)}`]);
      const printedThere = collect(terminal);
      aside.push({ terminal, printed: printedThere });
      return printedThere;
    },
    async untilReady() {
      const started = aside.at(-1);
      const explain = () => Promise.resolve(started?.printed() ?? 'nothing was started');
      await eventually({ what: 'the service is ready', explain }, async () => {
        if (started?.terminal.exitCode !== null) throw new Hopeless(await explain());
        const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
        return status === 200 || undefined;
      });
    },
    async leave() {
      for (const terminal of [...aside.reverse().map((each) => each.terminal), shell]) await end(terminal);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

const collect = ({ stdout }: ChildProcess): (() => string) => {
  let text = '';
  stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  return () => text;
};

/** The shell with what it runs. */
const end = async (shell: ChildProcess): Promise<void> => {
  if (shell.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
  const ended = once(shell, 'exit');
  process.kill(-shell.pid, 'SIGTERM');
  await ended;
};
