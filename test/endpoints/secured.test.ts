/**
 * The service on PostgreSQL, Temporal and Kafka as in production: each asks for TLS and a certificate of the service,
 * Temporal for an API key and Kafka for a login too. One session goes from its creation to its end on them.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Long from 'long';
import { Client } from 'pg';
import { pino } from 'pino';
import { anyFreePort, isListening } from '../../cli/stack/ports';
import type { Postgres } from '../../cli/stack/postgres';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../cli/stack/service-process';
import { loadSettings } from '../../config/settings';
import { setUpTemporalSchema } from '../../dev/temporal-server/schema';
import { openBus } from '../../events/open-bus';
import { migrate } from '../../prisma/migrate';
import { connectTemporal } from '../../temporal/connect';
import { aFleetFile, aFleetHost, aFleetInstance } from '../builders/a-fleet-file';
import { anAdmin } from '../integration/rig/admin';
import type { KafkaBroker } from '../integration/setup/kafka/kafka-broker';
import { environmentOfRun } from '../run/environment-of-run';
import { eventually } from '../waiting/eventually';
import { type Certificates, makeCertificates } from './certificates';
import { kafkaLogin, startSecuredKafka, startSecuredPostgres } from './secured-servers';
import { apiKey, type SecuredTemporal, startSecuredTemporal } from './secured-temporal';

const root = path.join(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-endpoints-'));
const file = (name: string): string => path.join(folder, name);
const namespace = 'parley-secured';

type Environment = Readonly<Record<string, string>>;

let certificates: Certificates;
let postgres: Postgres;
let kafka: KafkaBroker;
let temporal: SecuredTemporal;
let environment: Environment;

const databaseUrl = (parameters: Readonly<Record<string, string>>): string =>
  `${postgres.urlOf('parley')}?${new URLSearchParams(parameters).toString()}`;

const without = (...names: readonly string[]): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));

const registerNamespace = async (): Promise<void> => {
  const { client, close } = await connectTemporal(loadSettings(environment));
  const workflowExecutionRetentionPeriod = { seconds: Long.fromNumber(86_400) };
  await eventually('the namespace is registered', async () => {
    await client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    return true;
  });
  await eventually('the namespace is known', () => client.workflow.count());
  await close();
};

beforeAll(async () => {
  chmodSync(folder, 0o755);
  certificates = makeCertificates(folder);
  postgres = await startSecuredPostgres(folder, certificates);
  const { port } = new URL(postgres.urlOf('postgres'));
  await setUpTemporalSchema(folder, Number(port));
  await setUpTemporalSchema(folder, Number(port)); // as at every start of the containers: done already is done
  temporal = await startSecuredTemporal({ folder, postgresPort: Number(port), certificates });
  kafka = await startSecuredKafka(folder, certificates);
  writeFileSync(file('api-key'), `${apiKey()}\n`);
  writeFileSync(file('forged-api-key'), apiKey({ isForged: true }));
  const { ca, client } = certificates;
  environment = {
    DATABASE_URL: databaseUrl({ sslmode: 'verify-full', sslrootcert: ca, sslcert: client.cert, sslkey: client.key }),
    PARLEY_TEMPORAL_ADDRESS: temporal.address,
    PARLEY_TEMPORAL_NAMESPACE: namespace,
    PARLEY_TEMPORAL_TLS: 'on',
    PARLEY_TEMPORAL_CA: ca,
    PARLEY_TEMPORAL_CERT: client.cert,
    PARLEY_TEMPORAL_KEY: client.key,
    PARLEY_TEMPORAL_SERVER_NAME: 'localhost',
    PARLEY_TEMPORAL_API_KEY_FILE: file('api-key'),
    KAFKA_BROKERS: kafka.address,
    PARLEY_KAFKA_TLS: 'on',
    PARLEY_KAFKA_CA: ca,
    PARLEY_KAFKA_CERT: client.cert,
    PARLEY_KAFKA_KEY: client.key,
    PARLEY_KAFKA_SASL: 'scram-sha-512',
    PARLEY_KAFKA_USERNAME: kafkaLogin.username,
    PARLEY_KAFKA_PASSWORD: kafkaLogin.password,
  };
  await registerNamespace();
});

afterAll(async () => {
  await kafka.stop();
  await temporal.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('PostgreSQL with TLS', () => {
  const connect = async (url: string): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.end();
  };

  it('serves who trusts it and shows a certificate', async () => {
    await migrate(environment['DATABASE_URL']!);
    await expect(connect(environment['DATABASE_URL']!)).resolves.toBeUndefined();
  });

  it('refuses who comes in the open, or without a certificate; and is refused where it is not trusted', async () => {
    await expect(connect(databaseUrl({}))).rejects.toThrow('no encryption');
    const trusting = { sslmode: 'verify-full', sslrootcert: certificates.ca };
    await expect(connect(databaseUrl(trusting))).rejects.toThrow('certificate');
    await expect(connect(databaseUrl({ sslmode: 'verify-full' }))).rejects.toThrow('certificate');
  });
});

describe('Temporal with TLS, certificates and API keys', () => {
  const describeNamespace = async (env: Environment): Promise<string | null | undefined> => {
    const { client, close } = await connectTemporal(loadSettings(env));
    try {
      return (await client.workflowService.describeNamespace({ namespace })).namespaceInfo?.name;
    } finally {
      await close();
    }
  };

  it('serves who has all of them', async () => {
    await expect(describeNamespace(environment)).resolves.toBe(namespace);
  });

  it.each([
    ['in the open', () => without(...Object.keys(environment).filter((name) => /_TEMPORAL_(?!ADDRESS)/.test(name)))],
    ['without a certificate', () => without('PARLEY_TEMPORAL_CERT', 'PARLEY_TEMPORAL_KEY')],
    ['without an API key', () => without('PARLEY_TEMPORAL_API_KEY_FILE')],
    ['with a forged API key', () => ({ ...environment, PARLEY_TEMPORAL_API_KEY_FILE: file('forged-api-key') })],
    ['trusting another authority', () => without('PARLEY_TEMPORAL_CA')],
  ])('refuses who comes %s', async (_, env) => {
    await expect(describeNamespace(env())).rejects.toThrow();
  });
});

describe('Kafka with TLS, certificates and a login', () => {
  const send = async (env: Environment): Promise<void> => {
    const bus = openBus(loadSettings(env), pino({ level: 'silent' }));
    const envelope = {
      priority: 'info',
      event_type: 'maintenance.session',
      timestamp: '2026-11-21T12:00:00.000Z',
      publisher_id: 'parley',
      message_id: '0a4d1e7c-5d0b-4b52-9a3e-7061726c6579',
      payload: {},
    } as const;
    try {
      await bus.send([{ key: 'tried', seq: 1, envelope }]);
    } finally {
      await bus.close();
    }
  };

  it.each(['plain', 'scram-sha-512'])('takes events from who logs in by %s', async (sasl) => {
    await expect(send({ ...environment, PARLEY_KAFKA_SASL: sasl })).resolves.toBeUndefined();
  });

  it.each([
    ['without a certificate', () => without('PARLEY_KAFKA_CERT', 'PARLEY_KAFKA_KEY')],
    ['with a wrong password', () => ({ ...environment, PARLEY_KAFKA_PASSWORD: 'wrong' })],
    ['without a login', () => ({ ...environment, PARLEY_KAFKA_SASL: 'none' })],
  ])('refuses who comes %s', async (_, env) => {
    await expect(send(env())).rejects.toThrow('did not take the events');
  });
});

describe('the service on all of them', () => {
  const running: ServiceProcess[] = [];
  let port: number;

  const start = async (program: 'api' | 'worker'): Promise<ServiceProcess> => {
    const service = await startProcess({
      name: program,
      command: process.execPath,
      args: [path.join(root, 'dist', program, 'main.js')],
      env: {
        ...environmentOfRun(),
        ...environment,
        PARLEY_PORT: String(port),
        PARLEY_FLEET: file('fleet.json'),
        PARLEY_SIM_SPEED: '100',
        PARLEY_PROJECT_REPLY_SECONDS: '1',
      },
      logFile: file(`${program}.log`),
      pidFile: file(`${program}.pid`),
      mark: root,
      stopSignal: 'SIGTERM',
    });
    running.push(service);
    return service;
  };

  beforeAll(async () => {
    port = await anyFreePort();
    const hosts = ['one', 'two'].map((name) => aFleetHost({ name, maintenance_s: 1 }));
    writeFileSync(
      file('fleet.json'),
      JSON.stringify(aFleetFile({ hosts, instances: [aFleetInstance({ host: 'one' })] })),
    );
  });

  afterAll(async () => {
    for (const service of running) await service.stop();
  });

  it('takes a session to its end', async () => {
    const api = await start('api');
    await waitUntilReady(api, { isReady: () => isListening(port), withinMs: 300_000, logFile: file('api.log') });
    await start('worker');
    const admin = anAdmin(`http://127.0.0.1:${port}/v1`);
    const sessionId = await admin.create({ actions: [{ plugin: 'dummy', type: 'host' }] });
    const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(percent_done).toBe(100);
  });
});
