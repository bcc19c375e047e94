/** `parley constraints`: what projects demand for their instances and groups. */
import type { Command } from 'commander';
import { type CommandTools, type CommonFlags, describe } from '../command-tools';
import { usageFailure } from '../exit';
import type { Client } from '../http-client';
import { dictionaryIn, readInputFile } from '../input-file';
import { oneByOne } from '../one-by-one';
import { done, show } from '../output';
import { yamlOf } from '../yaml';
import { addListConstraints } from './list-constraints';

const kinds = ['instance', 'group'] as const;
type Kind = (typeof kinds)[number];

interface Item {
  readonly kind: Kind;
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const pathOf = (kind: Kind, id: string): string =>
  `/${kind === 'group' ? 'instance_group' : 'instance'}/${encodeURIComponent(id)}`;

const kindIn = (text: string): Kind => {
  const kind = kinds.find((one) => one === text);
  if (kind === undefined) throw usageFailure(`instance or group is meant, not ${text}`);
  return kind;
};

export const addConstraintCommands = (program: Command, tools: CommandTools): void => {
  const constraints = program.command('constraints').description('what projects demand for instances and groups');
  addListConstraints(constraints, tools);
  addGetAndDelete(constraints, tools);
  addSet(constraints, tools);
};

const addGetAndDelete = (constraints: Command, { apiFor, console }: CommandTools): void => {
  describe(constraints, {
    usage: 'get <kind> <id>',
    summary: 'show the constraints of an instance or a group',
    examples: [['Of a group, as a file for set', 'parley constraints get group 5ff4ff28-7f10-11ea-9a7a-2c600c9893ee']],
  }).action(async (kind: string, id: string, flags: CommonFlags) => {
    const stored = await (await apiFor(flags)).client.get<object>(pathOf(kindIn(kind), id));
    show(console, flags.output, {
      object: stored,
      names: [`${kind}/${id}`],
      lines: () => yamlOf(stored).trimEnd().split('\n'),
    });
  });
  describe(constraints, {
    usage: 'delete <kind> <id>',
    summary: 'delete the constraints of an instance or a group',
    examples: [['Of an instance', 'parley constraints delete instance fcbaeb3e-7f0f-11ea-8a01-2c600c9893ee']],
  }).action(async (kind: string, id: string, flags: CommonFlags) => {
    await (await apiFor(flags)).client.send('DELETE', pathOf(kindIn(kind), id));
    show(console, flags.output, done(`${kind}/${id}`, 'deleted', { object: { id } }));
  });
};

const addSet = (constraints: Command, { apiFor, console }: CommandTools): void => {
  for (const [name, summary] of [
    ['set', 'store the constraints of one instance or group'],
    ['import', 'store many constraints, one request each: groups first, so that instances find theirs'],
  ] as const) {
    describe(constraints, {
      usage: name,
      summary,
      about:
        'The file is YAML or JSON: an object as the API takes it, a list of such, or {groups: […], instances: […]}.',
      examples: [[`From a file`, `parley constraints ${name} -f constraints.yaml`]],
    })
      .requiredOption('-f, --file <file>', 'the file; -: standard input')
      .action(async (flags: CommonFlags & { readonly file: string }) => {
        const items = itemsIn(await readInputFile(console, flags.file), flags.file);
        if (name === 'set' && items.length !== 1) throw usageFailure(`${flags.file} has ${items.length}: use import`);
        await store((await apiFor(flags)).client, console, items);
      });
  }
};

export const itemsIn = (content: unknown, file: string): Item[] => {
  const all = Array.isArray(content) ? content : listsIn(dictionaryIn(content, file));
  const items = all.map((one: unknown) => itemOf(dictionaryIn(one, file), file));
  return items.sort((one, other) => Number(one.kind === 'instance') - Number(other.kind === 'instance'));
};

const listsIn = (content: Readonly<Record<string, unknown>>): unknown[] => {
  const { groups, instances } = content;
  if (groups === undefined && instances === undefined) return [content];
  return [groups, instances].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
};

/** `get` tells the members of a group too, which follow from the instances. */
const itemOf = ({ instance_ids: _members, ...body }: Readonly<Record<string, unknown>>, file: string): Item => {
  const { instance_id: instance, group_id: group } = body;
  if (typeof instance === 'string') return { kind: 'instance', id: instance, body };
  if (typeof group === 'string') return { kind: 'group', id: group, body };
  throw usageFailure(`${file} has an entry without instance_id and group_id`);
};

/** Stores the others when one is refused. */
const store = (client: Client, console: CommandTools['console'], items: readonly Item[]): Promise<void> =>
  oneByOne({
    things: items,
    nameOf: ({ kind, id }) => `${kind}/${id}`,
    words: ['entry', 'entries'],
    act: async ({ kind, id, body }, at) => {
      await client.send('PUT', pathOf(kind, id), { body });
      console.out(`${kind}/${id} stored (${at + 1} of ${items.length})\n`);
    },
  });
