/** A real Kafka broker: one node in KRaft mode that is its own controller, with little memory and short timeouts. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { KafkaConfig } from 'kafkajs';
import { isListening } from '../../../../cli/stack/ports';
import {
  type LeftOverProcess,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from '../../../../cli/stack/service-process';
import { Kafka, logLevel } from '../../../../events/kafka-client';
import { kafkaJars } from './kafka-jars';
import { formatOnce, shareClasses } from './kafka-kept';

export interface KafkaBroker {
  readonly process: ServiceProcess;
  readonly address: string;
  readonly stop: () => Promise<void>;
}

interface KafkaOptions {
  /** Holds the broker's settings, data and log. */
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
  /**
   * How long the broker may stand still before its controller shuts it out. Left out: minutes, since a busy machine may
   * stand still for long. A broker that was killed is let in again only after this time.
   */
  readonly sessionMs?: number;
  readonly security?: KafkaSecurity;
}

/** The TLS and login options that the broker demands from its clients. */
export interface KafkaSecurity {
  readonly protocol: 'SASL_SSL';
  /** More of the broker's properties. */
  readonly properties: readonly string[];
  /** User and password for SCRAM, as the storage tool takes them. */
  readonly scram: string;
  /** The options with which a client connects. */
  readonly client: Pick<KafkaConfig, 'ssl' | 'sasl'>;
}

/** A machine that is busy with tests starts Java in its own time. */
const readyMs = 300_000;
/** Begins soon and with little work, rather than running fast later; keeps no figures outside the run's folder. */
const javaOptions = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData'] as const;

/** The session timeout of a broker that a test kills and starts again. */
export const killedSessionMs = 3_000;

/** Sixteen bytes; the same at every start, so that a broker may be started again on its data. */
const clusterId = Buffer.from('parley-test-run!').toString('base64url');

const dataFolder = (folder: string): string => path.join(folder, 'data');

/** Heartbeats are most of what an idle broker does: four a second less save a fortieth of a processor. */
const heartbeatMs = (sessionMs: number): number => Math.min(2_000, sessionMs / 6);

const properties = ({ folder, port, controllerPort, security, sessionMs = 300_000 }: KafkaOptions): string =>
  [
    ...(security?.properties ?? []),
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${String(controllerPort)}`,
    `listeners=${security?.protocol ?? 'PLAINTEXT'}://127.0.0.1:${String(port)},CONTROLLER://127.0.0.1:${String(controllerPort)}`,
    `advertised.listeners=${security?.protocol ?? 'PLAINTEXT'}://127.0.0.1:${String(port)}`,
    'controller.listener.names=CONTROLLER',
    `log.dirs=${dataFolder(folder)}`,
    'num.partitions=3',
    'offsets.topic.num.partitions=3',
    'offsets.topic.replication.factor=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'group.initial.rebalance.delay.ms=0',
    `broker.session.timeout.ms=${String(sessionMs)}`,
    `broker.heartbeat.interval.ms=${String(heartbeatMs(sessionMs))}`,
    // An idle controller writes a record twice a second else.
    'metadata.max.idle.interval.ms=5000',
  ].join('\n');

const logging = `rootLogger.level = WARN
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d %p %c{1} %m%n
`;

const knowsItsTopics = async ({ port, security }: KafkaOptions): Promise<boolean> => {
  if (!(await isListening(port))) return false;
  const brokers = [`127.0.0.1:${String(port)}`];
  const admin = new Kafka({ brokers, ...security?.client, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
  try {
    await admin.connect();
    await admin.listTopics();
    return true;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
};

const settingsFile = (folder: string): string => path.join(folder, 'server.properties');

const leftOverIn = (folder: string): LeftOverProcess => ({
  pidFile: path.join(folder, 'kafka.pid'),
  mark: settingsFile(folder),
  stopSignal: 'SIGTERM',
});

interface Formatting {
  readonly options: KafkaOptions;
  readonly jars: string;
  /** Java's arguments before the name of a class. */
  readonly java: readonly string[];
}

/** A login is written into the data, which are therefore of no use to another broker. */
const formatData = async ({ options: { folder, security }, jars, java }: Formatting): Promise<void> => {
  const data = dataFolder(folder);
  if (existsSync(path.join(data, 'meta.properties'))) return;
  const args = ['format', '--config', settingsFile(folder), '--cluster-id', clusterId, '--ignore-formatted'];
  const format = (...more: string[]) =>
    promisify(execFile)('java', [...java, 'kafka.tools.StorageTool', ...args, ...more]);
  if (security === undefined) await formatOnce(jars, data, format);
  else await format('--add-scram', security.scram);
};

export const startKafka = async (options: KafkaOptions): Promise<KafkaBroker> => {
  const { folder, port } = options;
  const jars = await kafkaJars();
  await mkdir(folder, { recursive: true });
  const settings = settingsFile(folder);
  const log4j = path.join(folder, 'log4j2.properties');
  await writeFile(settings, properties(options));
  await writeFile(log4j, logging);
  const java = [...javaOptions, `-Dlog4j2.configurationFile=${log4j}`, '-cp', path.join(jars, '*')];
  await formatData({ options, jars, java });
  const classes = shareClasses(jars, folder);
  const logFile = path.join(folder, 'kafka.log');
  const service = await startProcess({
    name: 'Kafka',
    command: 'java',
    args: [...classes.options, ...java, 'kafka.Kafka', settings],
    logFile,
    ...leftOverIn(folder),
  });
  await waitUntilReady(service, { isReady: () => knowsItsTopics(options), withinMs: readyMs, logFile });
  const stop = async (): Promise<void> => {
    await service.stop();
    await classes.keepWritten();
  };
  return { process: service, address: `127.0.0.1:${String(port)}`, stop };
};
