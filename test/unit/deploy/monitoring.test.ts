/** The dashboard and the alert rules ask only for metrics and labels that are exported. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { sdkMetrics } from '../../builders/sdk-metrics';
import { scraped } from '../telemetry/metrics/scraped';
import { usedApiMetrics, usedWorkerMetrics } from '../telemetry/metrics/used-metrics';

const read = (file: string): string => readFileSync(path.join(__dirname, '../../../deploy/monitoring', file), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}
const { groups } = parse(read('alerts.yml')) as { groups: readonly { rules: readonly Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const { panels } = JSON.parse(read('dashboard.json')) as { panels: readonly Panel[] };
const targets = panels.flatMap(({ title, targets: own = [] }) => own.map((target) => ({ title, ...target })));

interface Query {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  readonly isSound: boolean;
}

/** The query as Prometheus reads it: Grafana replaces its variable by an interval. */
const queryOf = (text: string): Query => {
  const expr = text.replaceAll('$__rate_interval', '5m');
  const found = { metrics: [] as string[], labels: [] as string[], isSound: true };
  parser.parse(expr).iterate({
    enter: ({ type, from, to, node }) => {
      const word = expr.slice(from, to);
      if (type.isError) found.isSound = false;
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector') found.metrics.push(word);
      if (type.name === 'LabelName') found.labels.push(word);
    },
  });
  return found;
};

/** The labels of each metric by its name; those that Prometheus adds are with all. */
const exported = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
  const own = scraped((await usedApiMetrics()) + (await usedWorkerMetrics())).flatMap(({ name, type, samples }) => {
    const labels = samples.flatMap((sample) => Object.keys(sample.labels));
    const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name];
    return names.map((each) => [each, [...labels, 'le', 'job', 'instance']] as const);
  });
  const ofSdk = Object.entries(sdkMetrics).flatMap(([name, { labels }]) =>
    [name, `${name}_bucket`].map((each) => [each, [...labels, 'le', 'job', 'instance']] as const),
  );
  return new Map([...own, ...ofSdk]);
};

/** The words of an alert may ask, too. */
const inWords = rules.flatMap(({ alert, annotations }) =>
  Object.values(annotations).flatMap((text) =>
    [...text.matchAll(/query "(\w+)"/g)].map(([, expr]) => ({ name: `words of ${alert}`, expr: expr!, used: '' })),
  ),
);

const queries = [
  ...rules.map(({ alert, expr }) => ({ name: `alert ${alert}`, expr, used: '' })),
  ...inWords,
  ...targets.map(({ title, expr, legendFormat }) => ({ name: `panel ${title}`, expr, used: legendFormat })),
];

it.each(queries)('$name: $expr uses what is exported', async ({ expr, used }) => {
  const known = await exported();
  const { metrics, labels, isSound } = queryOf(expr);
  expect({ isSound, unknown: metrics.filter((metric) => !known.has(metric)) }).toEqual({ isSound: true, unknown: [] });
  expect(metrics.length).toBeGreaterThan(0);
  const allowed = metrics.flatMap((metric) => known.get(metric) ?? []);
  const shown = [...used.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
  expect([...labels, ...shown].filter((label) => !allowed.includes(label))).toEqual([]);
});

it('a metric or a label that nobody exports is found', () => {
  const { metrics, labels } = queryOf('sum by (colour) (rate(parley_gone_total{shade="blue"}[5m]))');
  expect([metrics, labels]).toEqual([['parley_gone_total'], ['colour', 'shade']]);
  expect(queryOf('sum by (').isSound).toBe(false);
});

it.each(rules)('alert $alert has a severity, a summary and a description, and a runbook where it wakes', (rule) => {
  expect(rule.alert).toMatch(/^Parley[A-Z][A-Za-z]+$/);
  expect(['critical', 'warning']).toContain(rule.labels.severity);
  const needed = ['summary', 'description', ...(rule.labels.severity === 'critical' ? ['runbook'] : [])];
  expect(needed.filter((name) => !rule.annotations[name])).toEqual([]);
});

it('every metric of ours is on the dashboard or in an alert', async () => {
  const asked = new Set(
    queries.flatMap(({ expr }) => queryOf(expr).metrics.map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
  );
  const own = scraped((await usedApiMetrics()) + (await usedWorkerMetrics())).filter(({ name }) =>
    name.startsWith('parley_'),
  );
  expect(own.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
});
