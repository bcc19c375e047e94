import { randomUUID } from 'node:crypto';
import { templateOf } from '../../../../api/http/refuse-other-methods';
import { createApiMetrics } from '../../../../telemetry/metrics/api-metrics';
import { scraped } from './scraped';
import { someCounts, usedApiMetrics, usedWorkerMetrics } from './used-metrics';

/** The values of a metric by the value of its label. */
const byLabel = (text: string, name: string, label: string): Readonly<Record<string, number>> =>
  Object.fromEntries<number>(
    scraped(text)
      .find((metric) => metric.name === name)!
      .samples.map(({ labels, value }) => [labels[label]!, value]),
  );

const valueOf = (text: string, name: string): number | undefined =>
  scraped(text).find((metric) => metric.name === name)?.samples[0]?.value;

describe('exported metrics', () => {
  it('have names with a unit and counters that end in _total, as Prometheus wants them', async () => {
    const all = scraped((await usedApiMetrics()) + (await usedWorkerMetrics())).filter(({ name }) =>
      name.startsWith('parley_'),
    );
    expect(all.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
    expect(all.filter(({ name, type }) => type === 'histogram' && !name.endsWith('_seconds'))).toEqual([]);
  });

  it.each([
    `/v1/maintenance/${randomUUID()}`,
    `/v1/maintenance/${randomUUID()}/${randomUUID()}/${randomUUID()}`,
    `/v1/maintenance/${randomUUID()}/hosts/compute-7.example.org/skip`,
    `/v1/instance/${randomUUID().replaceAll('-', '')}`,
    `/v1/no-such/${randomUUID()}`,
  ])('have no ID and no host in a label, for %s', async (path) => {
    const metrics = createApiMetrics({ count: () => Promise.resolve(someCounts) });
    metrics.requestEnded({ method: `X${randomUUID()}`, route: templateOf(path), status: 200, seconds: 1 });
    const values = scraped(await metrics.text()).flatMap(({ samples }) =>
      samples.flatMap(({ labels }) => Object.values(labels)),
    );
    expect(values.filter((value) => /[0-9a-f]{8}|compute-7/i.test(value))).toEqual([]);
  });

  it('count requests by template and status, and take no time of event streams', async () => {
    const text = await usedApiMetrics();
    const { 'GET /v1/events': stream, ...others } = Object.fromEntries(
      scraped(text)
        .find(({ name }) => name === 'parley_http_requests_total')!
        .samples.map(({ labels, value }) => [`${labels['method']} ${labels['route']}`, [labels['status'], value]]),
    );
    expect(stream).toEqual(['aborted', 1]);
    expect(others).toEqual({ 'GET /v1/maintenance/{session_id}': ['200', 1], 'GET none': ['404', 1] });
    expect(text).not.toContain('parley_http_request_duration_seconds_count{method="GET",route="/v1/events"}');
  });
});

describe('the gauges over the database', () => {
  it('show every known value, 0 included, and all others as one', async () => {
    const text = await usedApiMetrics();
    expect(byLabel(text, 'parley_sessions', 'state')).toMatchObject({
      PLANNED_MAINTENANCE: 2,
      MAINTENANCE_FAILED: 0,
      other: 1,
    });
    expect(byLabel(text, 'parley_questions', 'status')).toEqual({ unsent: 0, open: 0, late: 5, other: 0 });
    expect(valueOf(text, 'parley_events_oldest_unpublished_timestamp_seconds')).toBe(
      Date.parse('2026-11-21T12:00:00Z') / 1000,
    );
  });

  it('are missing while the database is away, and the rest is exported', async () => {
    let isAway = true;
    let nowMs = 0;
    const count = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(someCounts));
    const metrics = createApiMetrics({ count, nowMs: () => nowMs });
    const away = await metrics.text();
    expect(valueOf(away, 'parley_database_up')).toBe(0);
    expect(valueOf(away, 'parley_sessions')).toBeUndefined();
    expect(valueOf(away, 'parley_events_unpublished')).toBeUndefined();
    expect(away).toContain('process_cpu_seconds_total');
    isAway = false;
    nowMs = 5_000;
    expect(valueOf(await metrics.text(), 'parley_database_up')).toBe(1);
  });

  it('ask the database once in five seconds, however many scrape', async () => {
    let nowMs = 0;
    const count = jest.fn(() => Promise.resolve(someCounts));
    const metrics = createApiMetrics({ count, nowMs: () => nowMs });
    await Promise.all([metrics.text(), metrics.text()]);
    nowMs = 4_999;
    await metrics.text();
    expect(count).toHaveBeenCalledTimes(1);
    nowMs = 5_000;
    await metrics.text();
    expect(count).toHaveBeenCalledTimes(2);
  });
});
