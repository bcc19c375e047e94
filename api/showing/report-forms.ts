/** The report of a session as text for a change ticket: Markdown, HTML to print, and CSV with a line for each host. */
import { phaseInWords } from '../../rules/words/phases';
import { clockOf, duration } from '../../rules/words/times';
import type { RecordEntryBody } from '../schemas/record-schemas';
import type { ReportedHost, ReportedTenant, SessionReportBody } from '../schemas/report-schemas';

export const reportForms = ['json', 'md', 'html', 'csv'] as const;
export type ReportForm = (typeof reportForms)[number];
export type TextForm = Exclude<ReportForm, 'json'>;

export const mediaTypes: Readonly<Record<TextForm, string>> = {
  md: 'text/markdown',
  html: 'text/html',
  csv: 'text/csv',
};

export const reportAs = (form: TextForm, report: SessionReportBody): string => {
  switch (form) {
    case 'md':
      return markdownOf(report);
    case 'html':
      return htmlOf(report);
    case 'csv':
      return csvOf(report);
  }
};

interface ReportTable {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const timeIn = (time: string | null): string => (time === null ? '–' : clockOf(time));

const titleOf = ({ session_id: id, name }: SessionReportBody): string =>
  `Maintenance session ${name === null ? id : `${name} (${id})`}`;

const factsOf = (report: SessionReportBody): readonly (readonly [string, string])[] => {
  const { begun_at: begun, ended_at: ended, deadline, failure, reason } = report;
  const took = begun === null || ended === null ? undefined : (Date.parse(ended) - Date.parse(begun)) / 1000;
  return [
    ['State', report.state],
    ...(failure === null ? [] : [['Failure', failure] as const]),
    ...(reason === null ? [] : [['Reason', reason] as const]),
    ['Created', `${clockOf(report.created_at)}, by ${report.created_by ?? 'nobody on record'}`],
    ['Began', timeIn(begun)],
    ['Ended', `${timeIn(ended)}${took === undefined ? '' : `, after ${duration(took)}`}`],
    ...(report.plan === null ? [] : [['Planned end', endByPlan(report.plan, ended)] as const]),
    ...(deadline === null ? [] : [['Deadline', clockOf(deadline)] as const]),
    ['Hosts maintained', `${report.hosts_maintained} of ${report.hosts_total}`],
    ['Instances moved', String(report.instances_moved)],
  ];
};

/** The plan's end with its range, and how far the session was from it. */
const endByPlan = (plan: NonNullable<SessionReportBody['plan']>, ended: string | null): string => {
  const { made_at: made, ends_at: expected, ends_at_earliest: earliest, ends_at_latest: latest } = plan;
  const lateSeconds = ended === null ? 0 : (Date.parse(ended) - Date.parse(expected)) / 1000;
  const missed = lateSeconds === 0 ? '' : `; it ended ${byHowMuch(lateSeconds)} than that`;
  return `${clockOf(expected)} (${clockOf(earliest)} to ${clockOf(latest)}), by the plan of ${clockOf(made)}${missed}`;
};

const byHowMuch = (lateSeconds: number): string =>
  `${duration(Math.abs(lateSeconds))} ${lateSeconds > 0 ? 'later' : 'earlier'}`;

const pluginsOf = ({ plugins }: ReportedHost): string =>
  plugins.map(({ plugin, state }) => `${plugin}: ${state ?? 'nothing reported'}`).join('; ');

const hostHeads = [
  'Host',
  'Phase',
  'Drain began',
  'Drained',
  'Back',
  'Planned begin',
  'Planned back',
  'Moves',
  'Failed moves',
  'Instances',
  'Plug-ins',
  'Details',
];

const hostRow = (host: ReportedHost, timeAs: (time: string | null) => string): string[] => [
  host.hostname,
  phaseInWords(host.phase),
  timeAs(host.drain_started_at),
  timeAs(host.maintenance_started_at),
  timeAs(host.back_at),
  timeAs(host.planned_begin_at),
  timeAs(host.planned_back_at),
  String(host.moves),
  String(host.failed_moves),
  host.instances.join(' '),
  pluginsOf(host),
  host.details,
];

const tenantRow = (tenant: ReportedTenant): string[] => [
  tenant.project_name ?? tenant.project_id,
  tenant.contact ?? '–',
  ...[tenant.moved, tenant.asked, tenant.replied, tenant.refused, tenant.by_terms, tenant.silent].map(String),
  tenant.answered_by.join(', ') || '–',
];

const recordRow = ({ at, by, who, project_name: name, project_id: id, did, reason }: RecordEntryBody): string[] => [
  clockOf(at),
  id === null ? (who ?? by) : [`project ${name ?? id}`, ...(who === null ? [] : [who])].join(', '),
  did,
  reason ?? '–',
];

const tablesOf = ({ hosts, tenants, record }: SessionReportBody): readonly ReportTable[] => [
  { title: 'Hosts', heads: hostHeads, rows: hosts.map((host) => hostRow(host, timeIn)) },
  {
    title: 'Tenants',
    heads: ['Tenant', 'Contact', 'Moved', 'Asked', 'Replied', 'Refused', 'By terms', 'Silent', 'Answered by'],
    rows: tenants.map(tenantRow),
  },
  { title: 'Who did what', heads: ['At', 'Who', 'Did', 'Reason'], rows: record.map(recordRow) },
];

/** Text of others must not end a cell, or begin a list, a link or HTML. */
const inMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>#|]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');

const markdownOf = (report: SessionReportBody): string => {
  const row = (cells: readonly string[]): string => `| ${cells.map(inMarkdown).join(' | ')} |`;
  const tables = tablesOf(report).flatMap(({ title, heads, rows }) => [
    ...['', `## ${title}`, ''],
    ...(rows.length === 0
      ? ['None.']
      : [row(heads), row(heads.map(() => '---')).replaceAll('\\', ''), ...rows.map(row)]),
  ]);
  const facts = factsOf(report).map(([name, value]) => `- ${name}: ${inMarkdown(value)}`);
  return `${[`# ${inMarkdown(titleOf(report))}`, '', ...facts, ...tables].join('\n')}\n`;
};

const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style =
  'body{font:14px/1.4 sans-serif;margin:2rem;color:#111}table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}' +
  'th,td{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}' +
  'tr{break-inside:avoid}@page{size:A4 landscape;margin:1cm}';

const htmlOf = (report: SessionReportBody): string => {
  const title = inHtml(titleOf(report));
  const cells = (tag: 'th' | 'td', texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${tag}>${inHtml(text)}</${tag}>`).join('')}</tr>`;
  const facts = factsOf(report).map(([name, value]) => `<tr><th>${inHtml(name)}</th><td>${inHtml(value)}</td></tr>`);
  const tables = tablesOf(report).map(
    ({ title: of, heads, rows }) =>
      `<h2>${of}</h2><table><thead>${cells('th', heads)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>` +
    `<body><h1>${title}</h1><table>${facts.join('')}</table>${tables.join('')}</body></html>\n`
  );
};

/** A spreadsheet would take a text that begins so for a formula. */
const inCsv = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvOf = ({ hosts }: SessionReportBody): string =>
  [hostHeads, ...hosts.map((host) => hostRow(host, (time) => time ?? ''))]
    .map((row) => `${row.map(inCsv).join(',')}\r\n`)
    .join('');
