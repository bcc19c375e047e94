/** `parley context`: addresses under names, in the configuration file. */
import type { Command } from 'commander';
import { type CommandTools, type CommonFlags, describe } from '../command-tools';
import { contextsFile, readContexts, writeContexts } from '../contexts';
import { usageFailure } from '../exit';
import { show } from '../output';
import { tableOf } from '../render/table';

export const addContextCommands = (program: Command, tools: CommandTools): void => {
  const context = program.command('context').description('addresses of services under names, one of them current');
  addList(context, tools);
  addChanges(context, tools);
};

const addList = (context: Command, { console }: CommandTools): void => {
  describe(context, { usage: 'list', summary: 'list the contexts', examples: [['All', 'parley context list']] }).action(
    async (flags: CommonFlags) => {
      const { current, contexts } = await readContexts(console.env);
      const rows = Object.entries(contexts).map(([name, one]) => ({ name, ...one }));
      show(console, flags.output, {
        object: { current, contexts },
        names: rows.map(({ name }) => `context/${name}`),
        lines: (look) =>
          tableOf(
            [
              { title: 'NAME', cell: ({ name }) => name },
              { title: 'CURRENT', cell: ({ name }) => (name === current ? 'yes' : '-') },
              { title: 'URL', cell: ({ url = '-' }) => url, breaks: 'in the middle' },
              { title: 'TOKEN-FROM', cell: ({ token_from: from = '-' }) => from },
            ],
            rows,
            look,
          ),
      });
    },
  );
};

const addChanges = (context: Command, { console }: CommandTools): void => {
  describe(context, {
    usage: 'set <name>',
    summary: 'make or change a context, with the address that --url names',
    examples: [['A laboratory', 'parley context set lab --url http://lab.example:12347 --token-from LAB_TOKEN']],
  })
    .option('--token-from <variable>', 'the environment variable that holds the token')
    .action(async (name: string, { url, tokenFrom }: CommonFlags & { readonly tokenFrom?: string }) => {
      const { current = name, contexts } = await readContexts(console.env);
      const changed = { ...contexts[name], ...(url && { url }), ...(tokenFrom && { token_from: tokenFrom }) };
      await writeContexts(console.env, { current, contexts: { ...contexts, [name]: changed } });
      console.out(`context/${name} set in ${contextsFile(console.env)}\n`);
    });
  describe(context, {
    usage: 'use <name>',
    summary: 'make a context the current one',
    examples: [['The laboratory', 'parley context use lab']],
  }).action(async (name: string) => {
    const { contexts } = await readContexts(console.env);
    if (contexts[name] === undefined) throw usageFailure(`there is no context ${name}`, 'parley context list');
    await writeContexts(console.env, { current: name, contexts });
    console.out(`context/${name} is the current one\n`);
  });
};
