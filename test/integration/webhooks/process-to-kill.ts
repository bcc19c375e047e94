/** A process that brings events to one sink, and dies by -9 at the moment that its first argument names. */
import { openBothSinks, type SinksGiven } from './both-sinks';

const [moment = '', given = ''] = process.argv.slice(2);
const die = (): void => void process.kill(process.pid, 'SIGKILL');

const main = async (): Promise<void> => {
  const sinks = openBothSinks(JSON.parse(given) as SinksGiven, moment === 'the bus has taken them' ? die : undefined);
  if (moment === 'the webhook takes one') return sinks.deliver();
  await sinks.publish();
  die();
};

void main();
