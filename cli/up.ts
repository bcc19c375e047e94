/** `parley up`: the whole service on this machine, until it is told to stop. */
import type { Command } from 'commander';
import { type StackAddresses, startStack } from './stack/supervise';
import { stopSignal, untilAborted } from './stop-signal';

const tell = (line: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
};

const announce = ({ api, docs, temporalUi, temporal }: StackAddresses, logs: string): void => {
  const lines = [
    `Page             ${api}`,
    `API              ${api}`,
    `API reference    ${docs}`,
    temporalUi === undefined ? `Temporal         ${temporal}` : `Temporal Web UI  ${temporalUi}`,
    `Logs             ${logs}`,
  ];
  process.stdout.write(`\nParley is up.\n\n${lines.map((line) => `  ${line}\n`).join('')}\nCtrl-C stops it.\n\n`);
};

const up = async (env: NodeJS.ProcessEnv): Promise<void> => {
  const signal = stopSignal();
  const stack = await startStack({ env, tell, signal });
  announce(stack.addresses, `${stack.settings.dataDir}/logs`);
  await untilAborted(signal);
  tell('stopping');
  await stack.stop();
  tell('stopped');
};

export const addUpCommand = (program: Command, env: NodeJS.ProcessEnv): void => {
  program.command('up').action(() => up(env));
};
