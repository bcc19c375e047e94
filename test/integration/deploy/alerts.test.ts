/** Prometheus itself reads the alerts: each fires the first time when its cause is there, and not before. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { findPromtool } from '../setup/promtool-program';

const file = path.join(__dirname, '../../../deploy/monitoring/alerts.yml');

interface Rule {
  readonly alert: string;
  readonly labels: { readonly severity: string };
}
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: readonly { rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** Values of a series, one a minute, as promtool writes them: `_`: none, `0x3`: 0 four times. */
type Series = Readonly<Record<string, string>>;

interface Row {
  readonly alert: string;
  readonly series: Series;
  /** Minutes after which it does not fire yet, and after which it does. */
  readonly quietAt: number;
  readonly firesAt: number;
  /** Its summary; left out: that of the file has no number. */
  readonly says?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

const api = { 'parley_build_info{process="api"}': '1x90', 'parley_build_info{process="worker"}': '1x90' };
const page = { 'parley_page_info{url="https://parley.example.org"}': '1x90' };
const buckets = (name: string, at: string, rest = '0+60x90'): Series => ({
  [`${name}_bucket{le="${at}"}`]: '0x90',
  [`${name}_bucket{le="+Inf"}`]: rest,
});

const rows: readonly Row[] = [
  { alert: 'ParleyApiDown', series: { 'parley_build_info{process="api"}': '1x5 _x85' }, quietAt: 10, firesAt: 16 },
  {
    alert: 'ParleyWorkerDown',
    series: { 'parley_build_info{process="worker"}': '1x5 _x85' },
    quietAt: 10,
    firesAt: 16,
  },
  { alert: 'ParleyDatabaseAway', series: { parley_database_up: '1x4 0x85' }, quietAt: 5, firesAt: 8 },
  {
    ...{ alert: 'ParleyEventsNotPublished', quietAt: 5, firesAt: 9 },
    series: { parley_events_oldest_unpublished_timestamp_seconds: '60x90' },
  },
  {
    ...{
      alert: 'ParleyWorkflowTasksFail',
      quietAt: 29,
      firesAt: 32,
      labels: { failure_reason: 'NonDeterminismError' },
    },
    series: { 'temporal_workflow_task_execution_failed_total{failure_reason="NonDeterminismError"}': '_x30 1x60' },
    says: 'Workflow tasks fail: NonDeterminismError',
  },
  {
    ...{ alert: 'ParleySessionFailed', quietAt: 4, firesAt: 7, says: 'A session has failed' },
    series: { 'parley_sessions{state="MAINTENANCE_FAILED"}': '0x4 1x85', parley_sessions_aborted: '0x90' },
  },
  {
    ...{ alert: 'ParleySessionFailed', quietAt: 4, firesAt: 7, says: '2 sessions have failed' },
    series: { 'parley_sessions{state="MAINTENANCE_FAILED"}': '1x4 3x85', parley_sessions_aborted: '1x90' },
  },
  {
    ...{ alert: 'ParleyDeadlineMissed', quietAt: 8, firesAt: 11 },
    ...{
      series: { parley_sessions_deadline_missed: '0x4 1x85' },
      says: 'A session misses its deadline, or is expected to',
    },
  },
  {
    ...{ alert: 'ParleyWaitsForAdmin', quietAt: 15, firesAt: 17, says: 'A session waits for an admin for 17m 0s' },
    series: { parley_sessions_oldest_paused_timestamp_seconds: '0x90' },
  },
  {
    ...{ alert: 'ParleyWindowClosedWithHostsLeft', quietAt: 4, firesAt: 5 },
    series: { parley_sessions_closed_with_hosts_left: '0x4 1x85' },
    says: 'A window has closed, and its session has hosts left',
  },
  {
    ...{ alert: 'ParleyHostsSetAside', quietAt: 8, firesAt: 11, says: '2 hosts were set aside' },
    series: { 'parley_hosts{phase="set_aside"}': '0x4 2x85' },
  },
  {
    ...{ alert: 'ParleyQuestionsLate', quietAt: 8, firesAt: 11, says: 'A question is over, and nobody acts on it' },
    series: { 'parley_questions{status="late"}': '0x4 1x85' },
  },
  {
    ...{ alert: 'ParleyWebhookFails', quietAt: 10, firesAt: 17 },
    series: { parley_webhook_deliveries_oldest_pending_timestamp_seconds: '0x90' },
  },
  {
    ...{ alert: 'ParleyWebhookGivenUp', quietAt: 29, firesAt: 31 },
    series: { 'parley_webhook_deliveries_total{result="given_up"}': '_x30 1x60' },
  },
  {
    ...{ alert: 'ParleyEventTooLarge', quietAt: 29, firesAt: 31 },
    series: { 'parley_event_deliveries_total{result="too_large"}': '_x30 1x60' },
  },
  {
    ...{ alert: 'ParleyHttpErrors', quietAt: 5, firesAt: 12, says: '50% of the requests to the API fail' },
    series: {
      'parley_http_requests_total{status="200",route="/v1/events"}': '0+60x90',
      'parley_http_requests_total{status="503",route="/v1/events"}': '0+60x90',
    },
  },
  {
    ...{ alert: 'ParleyActivitiesFail', quietAt: 9, firesAt: 22, says: 'Activity moveInstance keeps failing' },
    ...{ series: { 'parley_activity_failures_total{activity="moveInstance"}': '0+60x90' } },
    labels: { activity: 'moveInstance' },
  },
  {
    ...{ alert: 'ParleyCloudFails', quietAt: 9, firesAt: 22, says: '50% of the calls of the cloud fail' },
    series: {
      'parley_cloud_call_duration_seconds_count{result="failed"}': '0+60x90',
      'parley_cloud_call_duration_seconds_count{result="ok"}': '0+60x90',
    },
  },
  { alert: 'ParleyAdmissionSlow', series: buckets('parley_decision_duration_seconds', '20'), quietAt: 9, firesAt: 22 },
  {
    ...{ alert: 'ParleyWorkersBehind', quietAt: 4, firesAt: 12 },
    series: buckets('temporal_workflow_task_schedule_to_start_latency_seconds', '10'),
  },
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'alerts-'));
});
afterAll(() => rm(folder, { recursive: true }));

const firing = (series: Series) =>
  Object.entries({ ...api, ...page, ...series }).map(([name, values]) => ({ series: name, values }));

/** @returns what promtool says of the alert at that minute, where it shall fire with no labels and no words */
const askPromtool = async ({ alert, series }: Row, minute: number): Promise<string> => {
  const test = {
    rule_files: [file],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: firing(series),
        alert_rule_test: [{ eval_time: `${String(minute)}m`, alertname: alert, exp_alerts: [] }],
      },
    ],
  };
  const written = path.join(folder, `${alert}-${String(minute)}.yml`);
  await writeFile(written, stringify(test));
  const told = promisify(execFile)(await findPromtool(), ['test', 'rules', written]);
  return told.then(
    ({ stdout }) => stdout,
    (error: unknown) => String((error as { stdout?: string }).stdout) + String((error as { stderr?: string }).stderr),
  );
};

it('every alert has a row', () => {
  expect([...new Set(rows.map(({ alert }) => alert))]).toEqual(rules.map(({ alert }) => alert));
});

it.each(rows)('$alert fires the first time after $firesAt minutes: $says', async (row) => {
  expect(await askPromtool(row, row.quietAt)).toContain('SUCCESS');
  const told = await askPromtool(row, row.firesAt);
  const { severity } = rules.find(({ alert }) => alert === row.alert)!.labels;
  expect(told).toContain(`severity="${severity}"`);
  for (const [name, value] of Object.entries(row.labels ?? {})) expect(told).toContain(`${name}="${value}"`);
  expect(told).toContain(row.says ?? 'summary=');
});

it('names the page where somebody has to act', async () => {
  const failed = rows.find(({ alert }) => alert === 'ParleySessionFailed')!;
  expect(await askPromtool(failed, failed.firesAt)).toContain('https://parley.example.org');
});
