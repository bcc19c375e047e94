/** The TLS and login options that the brokers demand from clients, in the form that kafkajs takes. */
import type { KafkaConfig } from 'kafkajs';
import { readAnew } from '../outgoing/read-anew';

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

const readTls = ({ kafkaTls, kafkaCa, kafkaCert, kafkaKey }: KafkaAccess): BrokerAccess => {
  if (kafkaTls !== 'on') return {};
  const [ca, cert, key] = [kafkaCa, kafkaCert, kafkaKey].map((file) =>
    file === undefined ? undefined : readAnew(file),
  );
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
