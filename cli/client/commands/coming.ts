/** `parley coming`: what is coming for the instances of a project, and when. */
import type { Command } from 'commander';
import type { ComingBody, ComingEntryBody } from '../../../api/schemas/coming-schemas';
import { shortId } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, describe } from '../command-tools';
import { show } from '../output';
import { ownProject } from '../own-project';
import { type Column, tableOf } from '../render/table';

const minute = (time: string | undefined): string => time?.slice(0, 16) ?? '-';

const startOf = ({ started_at: started, starts_at: starts }: ComingEntryBody): string =>
  minute(started ?? starts?.expected);

const rangeOf = ({ starts_at: starts }: ComingEntryBody): string =>
  starts === null ? '-' : `${minute(starts.earliest)} to ${minute(starts.latest)}`;

const columns: Column<ComingEntryBody>[] = [
  { title: 'INSTANCE', cell: ({ instance_name: name }) => name, breaks: 'at words' },
  { title: 'ID', cell: ({ instance_id: id }) => id, wide: true },
  { title: 'STATUS', cell: ({ status }) => status },
  { title: 'IMPACT', cell: ({ impact }) => impact ?? '-' },
  { title: 'START', cell: startOf },
  { title: 'EXPECTED', cell: rangeOf, mayGo: true },
  { title: 'NOT-BEFORE', cell: ({ not_before: time }) => minute(time ?? undefined), mayGo: true },
  { title: 'LATEST', cell: ({ not_before_latest: time }) => minute(time ?? undefined), wide: true },
  { title: 'SESSION', cell: ({ session_id: id }) => shortId(id) },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-', breaks: 'at words', mayGo: true },
];

export const addComingCommand = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'coming',
    summary: 'list what is coming for the instances of a project, and when, in UTC',
    examples: [
      ["With a project's token", 'parley coming'],
      ['As an admin', 'parley coming --project 39494a5d9f424b3bb7d91d1bd2a1a1b0'],
    ],
  })
    .option('--project <id>', 'the project; for an admin')
    .action(async (flags: CommonFlags & { readonly project?: string }) => {
      const { client } = await apiFor(flags);
      const id = flags.project ?? (await ownProject(client));
      const { coming } = await client.get<ComingBody>(`/projects/${encodeURIComponent(id)}/coming`);
      show(console, flags.output, {
        object: coming,
        names: coming.map(({ instance_id: instance }) => `instance/${instance}`),
        lines: (look) => (coming.length === 0 ? ['Nothing is coming.'] : tableOf(columns, coming, look)),
      });
    });
};
