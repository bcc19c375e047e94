import { anyFreePort } from '../../../../cli/stack/ports';
import { serveMetrics } from '../../../../telemetry/metrics/metrics-listener';

const host = '127.0.0.1';
const settings = 'PARLEY_METRICS_HOST and PARLEY_API_METRICS_PORT';
const metrics = { contentType: 'text/plain; version=0.0.4', text: () => Promise.resolve('up 1\n') };

describe('the port for metrics', () => {
  it.each([
    { method: 'GET', path: '/metrics', status: 200, body: 'up 1\n' },
    { method: 'HEAD', path: '/metrics?x=1', status: 200, body: '' },
    { method: 'POST', path: '/metrics', status: 405, body: '' },
    { method: 'GET', path: '/', status: 404, body: '' },
  ])('answers $method $path with $status', async ({ method, path, status, body }) => {
    const port = await anyFreePort();
    const stop = await serveMetrics(metrics, { host, port, settings });
    const response = await fetch(`http://${host}:${port}${path}`, { method });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(body);
    await stop();
    await expect(fetch(`http://${host}:${port}/metrics`)).rejects.toThrow();
  });

  it('keeps the process from starting where it is taken', async () => {
    const port = await anyFreePort();
    const stop = await serveMetrics(metrics, { host, port, settings });
    await expect(serveMetrics(metrics, { host, port, settings })).rejects.toThrow(
      `cannot listen on ${host}:${port} of ${settings}: it is taken`,
    );
    await stop();
  });

  it('is not opened where the settings name none', async () => {
    const stop = await serveMetrics(metrics, { host, port: undefined, settings });
    await expect(stop()).resolves.toBeUndefined();
  });
});
