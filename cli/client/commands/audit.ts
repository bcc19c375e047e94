/** `parley audit`: who did what, when and why, in one session or anywhere. */
import type { Command } from 'commander';
import type { AuditEntryBody, AuditPageBody } from '../../../api/schemas/audit-schemas';
import type { RecordEntryBody, SessionRecordBody } from '../../../api/schemas/record-schemas';
import { nameOr } from '../../../rules/words/names';
import { clockOf, shortId } from '../../../rules/words/times';
import type { Api } from '../api';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { withQuery } from '../http-client';
import { show } from '../output';
import { type Column, tableOf } from '../render/table';
import { sinceTime } from '../since';

interface AuditFlags extends CommonFlags {
  readonly since?: string;
}

export const addAuditCommand = (program: Command, tools: CommandTools): void => {
  describe(program, {
    usage: 'audit [session]',
    summary: 'say who did what, when and why: in one session, or in all, the oldest first',
    about:
      'Of a session also what nobody sent: the answers by terms, and by default where a project stayed silent. Without a ' +
      'session also requests that were refused.',
    examples: [
      ['In one session', 'parley audit 47479bca'],
      ['Everywhere, in the last hour', 'parley audit --since 1h'],
    ],
  })
    .option('--since <time>', 'only from then on: 30m, 1h, 7d, or a time')
    .action(async (given: string | undefined, flags: AuditFlags) => {
      const api = await tools.apiFor(flags);
      const since = flags.since === undefined ? undefined : sinceTime(flags.since, Date.now());
      if (given === undefined) await showAll(tools, api, { flags, since });
      else await showRecord(tools, api, { flags, since, given });
    });
};

interface AskedAudit {
  readonly flags: AuditFlags;
  readonly since: Date | undefined;
}

const whoColumn = ({ by, who, project_id: project, project_name: name }: RecordEntryBody): string =>
  project === null ? (who ?? by) : [`project ${nameOr(project, name)}`, ...(who === null ? [] : [who])].join(', ');

const recordColumns: Column<RecordEntryBody>[] = [
  { title: 'AT', cell: ({ at }) => clockOf(at) },
  { title: 'WHO', cell: whoColumn, breaks: 'at words' },
  { title: 'DID', cell: ({ did }) => did, breaks: 'at words' },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-', breaks: 'at words', mayGo: true },
];

const showRecord = async (
  { console }: CommandTools,
  api: Api,
  { flags, since, given }: AskedAudit & { readonly given: string },
): Promise<void> => {
  const id = await findSessionId(api, given);
  const record = await api.client.get<SessionRecordBody>(`/maintenance/${encodeURIComponent(id)}/record`);
  const entries = record.entries.filter(({ last_at: at }) => since === undefined || new Date(at) >= since);
  show(console, flags.output, {
    object: { ...record, entries },
    names: [`session/${id}`],
    lines: (look) => (entries.length === 0 ? ['Nobody did anything.'] : tableOf(recordColumns, entries, look)),
  });
};

const auditColumns: Column<AuditEntryBody>[] = [
  { title: 'AT', cell: ({ begun_at: at }) => clockOf(at) },
  { title: 'WHO', cell: ({ role, caller, caller_name: name }) => name ?? caller ?? role, breaks: 'at words' },
  { title: 'SESSION', cell: ({ session_id: id }) => (id === null ? '-' : shortId(id)) },
  { title: 'DID', cell: ({ did }) => did, breaks: 'at words' },
  { title: 'ANSWER', cell: ({ status }) => (status === null ? 'none' : status < 300 ? 'done' : `refused, ${status}`) },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-', breaks: 'at words', mayGo: true },
];

const showAll = async ({ console }: CommandTools, api: Api, { flags, since }: AskedAudit): Promise<void> => {
  const entries: AuditEntryBody[] = [];
  let before: string | null = null;
  do {
    const page: AuditPageBody = await api.client.get(
      withQuery('/audit', {
        ...(since !== undefined && { since: since.toISOString() }),
        ...(before !== null && { before }),
      }),
    );
    entries.push(...page.entries);
    // Without a time the newest page is enough.
    before = since === undefined ? null : page.next;
  } while (before !== null);
  entries.reverse();
  show(console, flags.output, {
    object: entries,
    names: entries.map(({ id }) => `audit/${id}`),
    lines: (look) => (entries.length === 0 ? ['Nobody asked for a change.'] : tableOf(auditColumns, entries, look)),
  });
};
