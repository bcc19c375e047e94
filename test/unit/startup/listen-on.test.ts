import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Server } from 'node:net';
import { listenOn } from '../../../startup/listen-on';

const settings = 'PARLEY_HOST and PARLEY_PORT';

const answersAt = async (host: string, server: Server): Promise<boolean> => {
  const socket = connect((server.address() as AddressInfo).port, host);
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
};

it('listens by :: on IPv4 and IPv6', async () => {
  const server = createServer();
  await listenOn(server, { host: '::', port: 0, settings });
  expect([await answersAt('127.0.0.1', server), await answersAt('::1', server)]).toEqual([true, true]);
  server.close();
});

/** A server on a machine whose IPv6 is switched off: any address of it is refused with the code. */
class WithoutIpv6 extends Server {
  constructor(readonly code: string) {
    super();
  }

  override listen(...given: unknown[]): this {
    const [port, host] = given;
    if (typeof host !== 'string' || !host.includes(':'))
      return super.listen({ port: Number(port), host: String(host) });
    process.nextTick(() => this.emit('error', Object.assign(new Error(this.code), { code: this.code })));
    return this;
  }
}

it.each(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])('listens by :: on IPv4 alone where a machine says %s', async (code) => {
  const server = new WithoutIpv6(code);
  await listenOn(server, { host: '::', port: 0, settings });
  expect(await answersAt('127.0.0.1', server)).toBe(true);
  server.close();
});

it('says where it cannot listen, and of which settings the address is', async () => {
  const taken = createServer();
  await listenOn(taken, { host: '127.0.0.1', port: 0, settings });
  const { port } = taken.address() as AddressInfo;
  await expect(listenOn(createServer(), { host: '127.0.0.1', port, settings })).rejects.toThrow(
    `cannot listen on 127.0.0.1:${port} of ${settings}: it is taken`,
  );
  await expect(listenOn(new WithoutIpv6('EADDRNOTAVAIL'), { host: '::1', port: 0, settings })).rejects.toThrow(
    'this machine does not have the address',
  );
  taken.close();
});
