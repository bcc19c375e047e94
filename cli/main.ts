/**
 * The command line `parley`. Exit codes are in client/exit.ts. Commands are loaded only where they are asked for, so
 * that each begins soon.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { processConsole } from './client/console';
import { endOf, letUsEnd } from './client/exit';
import { wrapped } from './client/render/table';
import { columnsOf } from './client/render/terminal-text';
import { packageRoot } from './package-root';
import { addServiceCommand, isOfService, listServiceCommands } from './service-commands';

const parseVersion = (packageJson: string): string => (JSON.parse(packageJson) as { version: string }).version;

const hint = `
Start with: parley list, parley plan --help, parley watch
The commands that speak to the API find it by PARLEY_URL, PARLEY_TOKEN or the OS_* variables (docs/command-line.md).
The service reads its settings from the environment: docs/settings.md and .env.example list them.`;

/** The commands of the service stop in their own way. */
const stopAtInterrupt = (first: string): AbortSignal => {
  const told = new AbortController();
  if (isOfService(first)) return told.signal;
  process.once('SIGINT', () => told.abort(new Error('interrupted')));
  process.stdout.on('error', () => told.abort(new Error('nobody reads')));
  return told.signal;
};

/** The command that is meant, also by `help COMMAND`. */
const commandIn = ([first = '', second = '']: readonly string[]): string =>
  first === 'help' && second !== '' ? second : first;

const addCommands = async (program: Command, args: readonly string[], stop: AbortSignal): Promise<void> => {
  const command = commandIn(args);
  if (isOfService(command)) {
    await addServiceCommand(program, command);
    return;
  }
  if (['-V', '--version'].includes(command)) return;
  const { createCommandTools } = await import('./client/command-tools.js');
  (await import('./client/commands.js')).addClientCommands(program, createCommandTools(processConsole(stop)));
  listServiceCommands(program);
};

const main = async (args: readonly string[]): Promise<void> => {
  const program = new Command('parley').description('rolling maintenance of hosts, agreed with their projects');
  program.version(parseVersion(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')));
  program.addHelpText('after', hint).showSuggestionAfterError();
  const [first = ''] = args;
  const stop = stopAtInterrupt(first);
  try {
    await addCommands(program, args, stop);
    letUsEnd(program);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const { exitCode, lines } = endOf(error, stop);
    const columns = columnsOf(process.stderr);
    for (const line of lines.flatMap((one) => wrapped(one, columns))) process.stderr.write(`${line}\n`);
    process.exitCode = exitCode;
  }
};

void main(process.argv.slice(2));
