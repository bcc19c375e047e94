/** A container's health check: `node dist/api/health/main.js` ends with 0 when the API of this machine answers. */
import { runTool } from '../../config/run-program';
import { loadSettings } from '../../config/settings';

const anyAddress = ['0.0.0.0', '::'];

const limitMs = 10_000;

const main = async (): Promise<void> => {
  const { host, port } = loadSettings(process.env);
  const reachable = anyAddress.includes(host) ? '127.0.0.1' : host;
  const address = reachable.includes(':') ? `[${reachable}]` : reachable;
  const { status } = await fetch(`http://${address}:${String(port)}/healthz`, { signal: AbortSignal.timeout(limitMs) });
  if (status !== 200) throw new Error(`the API answers ${String(status)}`);
};

runTool('api health', main);
