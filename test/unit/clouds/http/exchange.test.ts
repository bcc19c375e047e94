/** Exchanges with a server that speaks HTTP/2, too, over a connection that has fallen silent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createExchange, NoAnswer } from '../../../../clouds/http/exchange';
import { makeCertificates } from '../../../endpoints/certificates';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-exchange-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers on all connections but the first, as behind a firewall that has forgotten that one. */
const startServer = async ({ key, cert }: { readonly key: string; readonly cert: string }) => {
  const connections: Socket[] = [];
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert), allowHTTP1: true });
  server.on('secureConnection', (socket: Socket) => connections.push(socket));
  server.on('request', (_request, response) => {
    if (connections.length > 1) response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    for (const connection of connections) connection.destroy();
    server.close();
  };
  return { url: `https://127.0.0.1:${port}/`, stop };
};

it('takes another connection after one that gives no answer', async () => {
  const { ca, server: pair } = makeCertificates(folder);
  const { url, stop } = await startServer(pair);
  try {
    const exchange = createExchange({ timeoutSeconds: 1, caFile: ca, proxies: {} });
    await expect(exchange({ method: 'GET', url })).rejects.toThrow(NoAnswer);
    expect(await exchange({ method: 'GET', url })).toMatchObject({ status: 200, body: {} });
  } finally {
    stop();
  }
});
