// Joins the network of the nodes to the machine. Runs in the namespace of that network, and sockets in the file system
// are the same in all: forward.mjs <socket> <address of the API service> <port of the API server>
import { connect, createServer } from 'node:net';

const [socket, service, port] = process.argv.slice(2);

const forward = (incoming) => {
  const outgoing = connect(Number(port), '127.0.0.1');
  const end = () => {
    incoming.destroy();
    outgoing.destroy();
  };
  for (const side of [incoming, outgoing]) side.once('error', end).once('close', end);
  incoming.pipe(outgoing);
  outgoing.pipe(incoming);
};

createServer(forward).listen(443, service);
createServer(forward).listen(socket);
