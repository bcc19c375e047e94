import { sessionReport } from '../../../api/openapi/audit-examples';
import type { SessionReportBody } from '../../../api/schemas/report-schemas';
import { reportAs } from '../../../api/showing/report-forms';

const aReport = (given: Partial<SessionReportBody> = {}): SessionReportBody => ({
  ...(sessionReport as unknown as SessionReportBody),
  ...given,
});

const named = (hostname: string): SessionReportBody => {
  const [host] = aReport().hosts;
  return aReport({ name: hostname, hosts: [{ ...host!, hostname }] });
};

it('tells in Markdown what was done, for whom, and by whom', () => {
  const text = reportAs('md', aReport());
  expect(text).toMatch(/^# Maintenance session CHG-1207 \(/);
  expect(text).toContain('- Ended: 2026-11-24 22:31 UTC, after 29m29s\n');
  expect(text).toContain(
    '- Planned end: 2026-11-24 22:30 UTC (2026-11-24 22:27 UTC to 2026-11-24 22:41 UTC), by the plan of 2026-11-24 22:02 UTC; ' +
      'it ended 1m30s later than that\n',
  );
  expect(text).toContain('- Created: 2026-11-24 22:02 UTC, by Ada Lovelace\n');
  expect(text).toMatch(/\| compute-1 \| maintained \| 2026-11-24 22:13 UTC \|.*\| vnf-2 \| script: exit code 0 \|/);
  expect(text).toContain('| vepc | mailto:web@example.org | 1 | 3 | 2 | 0 | 0 | 1 | vnfm |');
  expect(text).toContain('| 2026-11-24 22:02 UTC | Ada Lovelace | created the session | CHG\u{2d}1207 |');
});

it('has a line for each host in CSV, with whole times', () => {
  expect(reportAs('csv', aReport()).split('\r\n')).toEqual([
    expect.stringMatching(/^Host,Phase,Drain began,/),
    expect.stringContaining('compute-1,maintained,2026-11-24T22:13:00.000Z,'),
    '',
  ]);
});

it.each([
  { form: 'md', name: 'a|b\n<script>', not: /[^\\]\||<script>/, with: 'a\\|b' },
  { form: 'html', name: '<script>"&', not: /<script>/, with: '&lt;script&gt;&quot;&amp;' },
  { form: 'csv', name: '=cmd(),"x"', not: /\n=cmd/, with: `"'=cmd(),""x"""` },
] as const)('lets no name be more than text in $form', ({ form, name, with: wanted, not }) => {
  const text = reportAs(form, named(name));
  expect(text).toContain(wanted);
  if (form !== 'md') expect(text).not.toMatch(not);
});
