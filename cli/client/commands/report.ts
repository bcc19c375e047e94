/** `parley report`: all that a change ticket wants to know of a session. */
import { type Command, Option } from 'commander';
import { type CommandTools, describe, findSessionId } from '../command-tools';
import { withQuery } from '../http-client';
import type { ApiFlags } from '../settings';

const forms = ['md', 'html', 'csv', 'json'] as const;

interface ReportFlags extends ApiFlags {
  readonly output: (typeof forms)[number];
}

export const addReportCommand = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'report [session]',
    summary: 'print the report of a session for the change ticket: hosts, tenants, who did what',
    output: new Option('-o, --output <form>', 'form of the report').choices([...forms]).default('md'),
    examples: [
      ['To paste into a ticket', 'parley report 47479bca'],
      ['To print', 'parley report 47479bca -o html >report.html'],
      ['A line for each host', 'parley report 47479bca -o csv >hosts.csv'],
    ],
  }).action(async (given: string | undefined, flags: ReportFlags) => {
    const api = await apiFor({ ...flags });
    const id = await findSessionId(api, given);
    const path = withQuery(`/maintenance/${encodeURIComponent(id)}/report`, { format: flags.output });
    const text = await (await api.client.stream(path, { headers: {}, signal: console.stop })).text();
    console.out(text.endsWith('\n') ? text : `${text}\n`);
  });
};
