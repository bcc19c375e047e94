/** Real PostgreSQL and Kafka that refuse whoever comes without TLS, a certificate and a login. */
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { anyFreePort } from '../../cli/stack/ports';
import { type Postgres, startPostgres } from '../../cli/stack/postgres';
import { type KafkaBroker, startKafka } from '../integration/setup/kafka/kafka-broker';
import type { Certificates } from './certificates';

/** Databases that may be reached in the open: those of the tests' own servers, and the one that tells readiness. */
const open = 'postgres,temporal,temporal_visibility';

const accessRules = `host ${open} all 127.0.0.1/32 trust
hostssl all all 127.0.0.1/32 trust clientcert=verify-full
`;

/** @param folder one that the server's own user may enter */
export const startSecuredPostgres = async (folder: string, certificates: Certificates): Promise<Postgres> => {
  const dataFolder = path.join(folder, 'postgres');
  const options = { dataFolder, port: await anyFreePort(), logFile: path.join(folder, 'postgres.log') };
  const first = await startPostgres({ ...options, unsafeButFast: true });
  await first.stop();
  const { uid, gid } = statSync(dataFolder);
  chownSync(certificates.server.key, uid, gid);
  const rules = path.join(folder, 'pg_hba.conf');
  writeFileSync(rules, accessRules);
  return startPostgres({
    ...options,
    unsafeButFast: true,
    serverSettings: {
      ssl: 'on',
      ssl_cert_file: certificates.server.cert,
      ssl_key_file: certificates.server.key,
      ssl_ca_file: certificates.ca,
      hba_file: rules,
    },
  });
};

export const kafkaLogin = { username: 'parley', password: 'kafka-secret' } as const;

const plainLogin =
  'org.apache.kafka.common.security.plain.PlainLoginModule required ' +
  `username="${kafkaLogin.username}" password="${kafkaLogin.password}" ` +
  `user_${kafkaLogin.username}="${kafkaLogin.password}";`;

const scramLogin = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';

export const startSecuredKafka = async (folder: string, { ca, server, client }: Certificates): Promise<KafkaBroker> => {
  const read = (file: string): string => readFileSync(file, 'utf8');
  return startKafka({
    folder: path.join(folder, 'kafka'),
    port: await anyFreePort(),
    controllerPort: await anyFreePort(),
    security: {
      protocol: 'SASL_SSL',
      properties: [
        'listener.security.protocol.map=SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT',
        'inter.broker.listener.name=SASL_SSL',
        'sasl.mechanism.inter.broker.protocol=PLAIN',
        'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512',
        `listener.name.sasl_ssl.plain.sasl.jaas.config=${plainLogin}`,
        `listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=${scramLogin}`,
        // with a login, only the listener's own setting counts
        'listener.name.sasl_ssl.ssl.client.auth=required',
        'ssl.keystore.type=PEM',
        `ssl.keystore.location=${server.both}`,
        'ssl.truststore.type=PEM',
        `ssl.truststore.location=${ca}`,
      ],
      scram: `SCRAM-SHA-512=[name=${kafkaLogin.username},password=${kafkaLogin.password}]`,
      client: {
        ssl: { ca: [read(ca)], cert: read(client.cert), key: read(client.key) },
        sasl: { mechanism: 'plain', ...kafkaLogin },
      },
    },
  });
};
