/** The client of Temporal follows http_proxy by itself, and its worker does not: both reach Temporal directly. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connectTemporal } from '../../../temporal/connect';
import { eventually } from '../../waiting/eventually';
import { type CountingProxy, startProxy } from '../outgoing/counting-proxy';

let proxy: CountingProxy;
beforeAll(async () => {
  proxy = await startProxy();
  process.env['http_proxy'] = proxy.url;
});
afterAll(async () => {
  delete process.env['http_proxy'];
  await proxy.stop();
});

it('reaches Temporal directly where the environment names a proxy', async () => {
  const reached: Socket[] = [];
  const temporal = createServer((socket) => void reached.push(socket)).listen(0, '127.0.0.1');
  await once(temporal, 'listening');
  const temporalAddress = `127.0.0.1:${(temporal.address() as AddressInfo).port}`;
  const refused = connectTemporal({ temporalAddress, temporalNamespace: 'default' }).catch(String);
  const isAsked = () => Promise.resolve(reached.length + proxy.asked.length > 0 || undefined);
  await eventually('Temporal, or the proxy, is asked', isAsked);
  expect(proxy.asked).toEqual([]);
  for (const socket of reached) socket.destroy();
  temporal.close();
  expect(await refused).toContain('does not answer');
});
