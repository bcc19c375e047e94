/** `parley tenants`: whom to phone about a session. */
import type { Command } from 'commander';
import type { SessionTenantsBody } from '../../../api/schemas/tenant-schemas';
import { nameOr } from '../../../rules/words/names';
import { left } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { show } from '../output';
import { type Column, tableOf } from '../render/table';

type TenantLine = SessionTenantsBody['tenants'][number];

const columns: Column<TenantLine>[] = [
  { title: 'TENANT', cell: ({ project_id: id, project_name: name }) => nameOr(id, name) },
  { title: 'TENANT-ID', cell: ({ project_id: id }) => id, wide: true },
  { title: 'CONTACT', cell: ({ contact }) => contact ?? '-', breaks: 'at words' },
  { title: 'OPEN', cell: ({ open_questions: open }) => String(open) },
  { title: 'LEFT', cell: ({ seconds_left: seconds }) => left(seconds) || '-' },
  { title: 'HOSTS', cell: ({ hosts }) => hosts.join(',') || '-', breaks: 'at words', mayGo: true },
  { title: 'SILENT', cell: ({ silent, asked }) => `${silent} of ${asked}` },
  { title: 'REFUSED', cell: ({ refused }) => String(refused) },
];

export const addTenantsCommand = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'tenants [session]',
    summary: 'say whom to phone: who is waited for and how long still, the contact, and how often each stayed silent',
    about: 'A tenant says its contact in its terms (parley terms).',
    examples: [['Of the session that runs', 'parley tenants']],
  }).action(async (given: string | undefined, flags: CommonFlags) => {
    const api = await apiFor(flags);
    const id = await findSessionId(api, given);
    const found = await api.client.get<SessionTenantsBody>(`/maintenance/${encodeURIComponent(id)}/tenants`);
    show(console, flags.output, {
      object: found,
      names: found.tenants.map(({ project_id: project }) => `project/${project}`),
      lines: (look) => (found.tenants.length === 0 ? ['Nobody was asked yet.'] : tableOf(columns, found.tenants, look)),
    });
  });
};
