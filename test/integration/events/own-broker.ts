/** A Kafka broker that belongs to one test file, which may kill it. Its jars come out of Maven's local repository. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';

const run = promisify(execFile);

export interface OwnBroker {
  readonly brokers: readonly string[];
  /** Returns when it answers. */
  start(): Promise<void>;
  /** kill -9. */
  kill(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>parley</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>4.3.1</version></dependency>
  </dependencies>
</project>`;

const classPath = async (folder: string): Promise<string> => {
  await writeFile(path.join(folder, 'pom.xml'), pom);
  const output = path.join(folder, 'class-path');
  const goal = ['dependency:build-classpath', '-DincludeScope=runtime', `-Dmdep.outputFile=${output}`];
  await run('mvn', ['-q', '-B', ...goal], { cwd: folder });
  return (await readFile(output, 'utf8')).trim();
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port was found');
  return address.port;
};

const properties = (folder: string, port: number, controllerPort: number): string =>
  [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${path.join(folder, 'data')}`,
    'offsets.topic.replication.factor=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    'broker.session.timeout.ms=3000',
    'broker.heartbeat.interval.ms=500',
  ].join('\n');

const untilItAnswers = async (brokers: string[]): Promise<void> => {
  const deadline = Date.now() + 60_000;
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
  const answers = () =>
    admin
      .connect()
      .then(() => admin.listTopics())
      .then(
        () => true,
        () => false,
      );
  while (!(await answers())) {
    if (Date.now() > deadline) throw new Error('the Kafka broker did not answer within a minute');
    await delay(200);
  }
  await admin.disconnect();
};

export const createOwnBroker = async (): Promise<OwnBroker> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-kafka-'));
  const [jars, port, controllerPort] = await Promise.all([classPath(folder), freePort(), freePort()]);
  const settings = path.join(folder, 'server.properties');
  const brokers = [`127.0.0.1:${port}`];
  await writeFile(settings, properties(folder, port, controllerPort));
  await run('java', ['-cp', jars, 'kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qk', '-c', settings]);
  let broker: ChildProcess | undefined;

  const kill = async (): Promise<void> => {
    if (broker?.exitCode !== null || broker.signalCode !== null) return;
    broker.kill('SIGKILL');
    await once(broker, 'exit');
  };

  return {
    brokers,
    kill,
    start: async () => {
      broker = spawn('java', ['-Xmx256m', '-cp', jars, 'kafka.Kafka', settings], { stdio: 'ignore' });
      await untilItAnswers(brokers);
    },
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
