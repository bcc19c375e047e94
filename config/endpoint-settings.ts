/** The settings for the TLS and login options that Temporal and Kafka demand from clients. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const temporalAccessSettings = {
  temporalTls: withDefault('PARLEY_TEMPORAL_TLS', 'off', {
    meaning: 'TLS to Temporal: `on` or `off`.',
    parse: parse.oneOf('off', 'on'),
  }),
  temporalCa: optional('PARLEY_TEMPORAL_CA', "the system's", {
    meaning: 'File with the certificates (PEM) that Temporal is trusted by.',
    parse: parse.filePath,
  }),
  temporalCert: optional('PARLEY_TEMPORAL_CERT', 'none', {
    meaning: "File with the service's own certificate (PEM), where Temporal asks for one.",
    parse: parse.filePath,
  }),
  temporalKey: optional('PARLEY_TEMPORAL_KEY', 'none', {
    meaning: 'File with the key (PEM) of that certificate.',
    parse: parse.filePath,
  }),
  temporalServerName: optional('PARLEY_TEMPORAL_SERVER_NAME', "the address's", {
    meaning: "Name that Temporal's certificate is for, where it is not that of the address.",
    parse: parse.hostName,
  }),
  temporalApiKeyFile: optional('PARLEY_TEMPORAL_API_KEY_FILE', 'none', {
    meaning: 'File with the API key (a token) that Temporal asks for; read when a process starts.',
    parse: parse.filePath,
  }),
} as const;

export const kafkaAccessSettings = {
  kafkaTls: withDefault('PARLEY_KAFKA_TLS', 'off', {
    meaning: 'TLS to Kafka: `on` or `off`.',
    parse: parse.oneOf('off', 'on'),
  }),
  kafkaCa: optional('PARLEY_KAFKA_CA', 'those of Node.js', {
    meaning: 'File with the certificates (PEM) that the brokers are trusted by.',
    parse: parse.filePath,
  }),
  kafkaCert: optional('PARLEY_KAFKA_CERT', 'none', {
    meaning: "File with the service's own certificate (PEM), where the brokers ask for one.",
    parse: parse.filePath,
  }),
  kafkaKey: optional('PARLEY_KAFKA_KEY', 'none', {
    meaning: 'File with the key (PEM) of that certificate.',
    parse: parse.filePath,
  }),
  kafkaSasl: withDefault('PARLEY_KAFKA_SASL', 'none', {
    meaning: 'Login to Kafka: `none`, `plain`, `scram-sha-256` or `scram-sha-512`.',
    parse: parse.oneOf('none', 'plain', 'scram-sha-256', 'scram-sha-512'),
  }),
  kafkaUsername: optional('PARLEY_KAFKA_USERNAME', 'none', {
    meaning: 'User name of that login.',
    parse: parse.anyText,
  }),
  kafkaPassword: optional('PARLEY_KAFKA_PASSWORD', 'none', {
    meaning: 'Password of that login.',
    parse: parse.anyText,
  }),
} as const;
