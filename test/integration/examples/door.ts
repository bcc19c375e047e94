/** An address of the service that is known before the service listens, because its events contain the address. */
import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Door {
  readonly url: string;
  close(): void;
}

/** @param whereTo the service's address, once it is known */
export const openDoor = async (whereTo: () => string): Promise<Door> => {
  const door = createServer((request, response) => {
    const { method, headers, url } = request;
    const passedOn = ask(new URL(url!, whereTo()), { method: method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passedOn.on('error', () => response.destroy());
    request.pipe(passedOn);
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    close() {
      door.close();
      door.closeAllConnections();
    },
  };
};
