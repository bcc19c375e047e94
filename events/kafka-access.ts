/** The TLS and login options that the brokers demand from clients, in the form that kafkajs takes. */
import { readFileSync } from 'node:fs';
import type { KafkaConfig } from 'kafkajs';

/** The values of the settings. Files are in PEM format. */
export interface KafkaAccess {
  readonly kafkaTls?: 'off' | 'on';
  readonly kafkaCa?: string | undefined;
  readonly kafkaCert?: string | undefined;
  readonly kafkaKey?: string | undefined;
  readonly kafkaSasl?: 'none' | 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly kafkaUsername?: string | undefined;
  readonly kafkaPassword?: string | undefined;
}

export type BrokerAccess = Pick<KafkaConfig, 'ssl' | 'sasl'>;

/** Reads the file now, and again for each connection. While it is being replaced, what was read before counts. */
const readAnew = (file: string | undefined): (() => string | undefined) => {
  if (file === undefined) return () => undefined;
  let last = readFileSync(file, 'utf8');
  return () => {
    try {
      last = readFileSync(file, 'utf8');
    } catch {
      // The certificates that were read before stay in use.
    }
    return last;
  };
};

const readTls = ({ kafkaTls, kafkaCa, kafkaCert, kafkaKey }: KafkaAccess): BrokerAccess => {
  if (kafkaTls !== 'on') return {};
  const [ca, cert, key] = [kafkaCa, kafkaCert, kafkaKey].map(readAnew);
  return {
    ssl: {
      // kafkajs copies them for each connection.
      get ca() {
        return ca?.();
      },
      get cert() {
        return cert?.();
      },
      get key() {
        return key?.();
      },
    },
  };
};

const loginOf = ({ kafkaSasl = 'none', kafkaUsername = '', kafkaPassword = '' }: KafkaAccess): BrokerAccess => {
  const login = { username: kafkaUsername, password: kafkaPassword };
  switch (kafkaSasl) {
    case 'none':
      return {};
    case 'plain':
      return { sasl: { mechanism: 'plain', ...login } };
    case 'scram-sha-256':
      return { sasl: { mechanism: 'scram-sha-256', ...login } };
    case 'scram-sha-512':
      return { sasl: { mechanism: 'scram-sha-512', ...login } };
  }
};

/** @throws Error of the file system when a file of the settings cannot be read */
export const readBrokerAccess = (access: KafkaAccess): BrokerAccess => ({ ...readTls(access), ...loginOf(access) });
