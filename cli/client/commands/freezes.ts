/** `parley freezes`: named times in which no session begins anything. */
import type { Command } from 'commander';
import type { FreezeBody, WriteFreezeBody } from '../../../api/schemas/freeze-schemas';
import { type CommandTools, type CommonFlags, confirmByName, describe } from '../command-tools';
import { usageFailure } from '../exit';
import { fieldsIn } from '../input-file';
import { done, show } from '../output';
import { type Column, tableOf } from '../render/table';

const stateOf = ({ active, begins_at: begins }: FreezeBody): string => {
  if (active) return 'active';
  return begins === null ? 'over' : 'to come';
};

const columns: Column<FreezeBody>[] = [
  { title: 'NAME', cell: ({ name }) => name },
  { title: 'STATE', cell: stateOf },
  { title: 'BEGINS', cell: ({ begins_at: begins }) => begins?.slice(0, 16) ?? '-' },
  { title: 'ENDS', cell: ({ ends_at: ends }) => ends?.slice(0, 16) ?? '-' },
  { title: 'REPEATS', cell: ({ times }) => (times?.some(({ days }) => days !== undefined) === true ? 'yes' : 'no') },
  { title: 'REASON', cell: ({ reason }) => reason, breaks: 'at words' },
];

export const addFreezeCommands = (program: Command, tools: CommandTools): void => {
  const freezes = program.command('freezes').description('named times in which no session begins anything');
  addList(freezes, tools);
  addSet(freezes, tools);
  addDelete(freezes, tools);
};

const addList = (freezes: Command, { apiFor, console }: CommandTools): void => {
  describe(freezes, {
    usage: 'list',
    summary: 'list the freezes with the present or next time of each, in UTC',
    examples: [['Is anything frozen?', 'parley freezes list']],
  }).action(async (flags: CommonFlags) => {
    const found = await (await apiFor(flags)).freezes();
    show(console, flags.output, {
      object: found,
      names: found.map(({ name }) => `freeze/${name}`),
      lines: (look) => (found.length === 0 ? ['There are no freezes.'] : tableOf(columns, found, look)),
    });
  });
};

interface SetFlags extends CommonFlags {
  readonly reason?: string;
  readonly from?: string;
  readonly until?: string;
}

const addSet = (freezes: Command, { apiFor, console }: CommandTools): void => {
  describe(freezes, {
    usage: 'set <name> [fields...]',
    summary: 'store a freeze, in place of one of the same name; it holds for every session at once',
    about: 'Give --from and --until, or times=VALUE, which is YAML in the grammar of windows (docs/sessions.md).',
    examples: [
      [
        'Over the holidays',
        "parley freezes set christmas --reason 'Nobody is on call' --from 2026-12-20T00:00:00Z --until 2027-01-05T00:00:00Z",
      ],
      [
        'On the last Friday of each month, by day',
        "parley freezes set payday --reason 'Wages are paid' " +
          '\'times=[{days: [fri], nth: [-1], from: "08:00", to: "18:00", time_zone: Europe/Berlin}]\'',
      ],
    ],
  })
    .option('--reason <text>', 'why, for people: sessions that wait for its end tell it')
    .option('--from <time>', 'when it begins, in UTC or with a zone; left out: now')
    .option('--until <time>', 'when sessions may begin again')
    .action(async (name: string, fields: readonly string[], { reason, from, until, ...flags }: SetFlags) => {
      if (reason === undefined) throw usageFailure('give the reason for the freeze (--reason), which sessions tell');
      // The service says what is wrong with it.
      const times = fieldsIn(fields) as Partial<WriteFreezeBody>;
      const begin = from ?? (until === undefined ? undefined : new Date().toISOString());
      const range = { ...(begin !== undefined && { from: begin }), ...(until !== undefined && { until }) };
      const stored = await (await apiFor(flags)).setFreeze(name, { reason, ...range, ...times });
      show(console, flags.output, done(`freeze/${name}`, `stored: ${standingInWords(stored)}`, { object: stored }));
    });
};

const standingInWords = ({ active, begins_at: begins, ends_at: ends }: FreezeBody): string =>
  `${active ? 'active' : `from ${begins ?? 'a time that is not known'}`} until ${ends ?? 'a time that is not known'}`;

const addDelete = (freezes: Command, tools: CommandTools): void => {
  const { apiFor, console } = tools;
  describe(freezes, {
    isChange: true,
    usage: 'delete <name>',
    summary: 'delete a freeze; sessions go on at once',
    examples: [['By its name', 'parley freezes delete christmas']],
  })
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, flags: CommonFlags & { readonly yes?: boolean }) => {
      const api = await apiFor(flags);
      await confirmByName(tools, { what: `delete freeze ${name}`, name, yes: flags.yes === true });
      await api.removeFreeze(name);
      show(console, flags.output, done(`freeze/${name}`, 'deleted', { object: { name } }));
    });
};
