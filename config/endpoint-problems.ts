/** Settings for secured endpoints that are valid alone and wrong together, one line for each problem. */
import type { KafkaAccess } from '../events/kafka-access';
import type { TemporalAccess } from '../temporal/temporal-access';

type GivenAddresses = Partial<Omit<TemporalAccess, 'temporalAddress'> & KafkaAccess>;

const isGiven = (value: string | undefined): boolean => value !== undefined;

/** An operator who names a certificate expects TLS. Without TLS, the service would silently ignore the files. */
const withoutTls = (prefix: string, files: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(files)
    .filter((name) => isGiven(files[name]))
    .map((name) => `${prefix}_${name} is set and ${prefix}_TLS is not on; set it to on`);

const halfPair = (prefix: string, cert: string | undefined, key: string | undefined): string[] =>
  isGiven(cert) === isGiven(key)
    ? []
    : [`${prefix}_CERT and ${prefix}_KEY belong together: ${isGiven(cert) ? 'the key' : 'the certificate'} is not set`];

const temporalProblems = (given: GivenAddresses): string[] => {
  const { temporalTls, temporalCa, temporalCert, temporalKey, temporalServerName, temporalApiKeyFile } = given;
  const files = { CA: temporalCa, CERT: temporalCert, KEY: temporalKey, SERVER_NAME: temporalServerName };
  const secrets = { ...files, API_KEY_FILE: temporalApiKeyFile };
  return [
    ...(temporalTls === 'on' ? [] : withoutTls('PARLEY_TEMPORAL', secrets)),
    ...halfPair('PARLEY_TEMPORAL', temporalCert, temporalKey),
  ];
};

const saslProblems = ({ kafkaSasl = 'none', kafkaUsername, kafkaPassword }: GivenAddresses): string[] => {
  if (kafkaSasl === 'none') return [];
  const needed = { PARLEY_KAFKA_USERNAME: kafkaUsername, PARLEY_KAFKA_PASSWORD: kafkaPassword };
  return Object.entries(needed).flatMap(([name, value]) =>
    isGiven(value) ? [] : [`${name} is not set; PARLEY_KAFKA_SASL=${kafkaSasl} logs in with it`],
  );
};

const kafkaProblems = (given: GivenAddresses): string[] => {
  const { kafkaTls, kafkaCa, kafkaCert, kafkaKey } = given;
  return [
    ...(kafkaTls === 'on' ? [] : withoutTls('PARLEY_KAFKA', { CA: kafkaCa, CERT: kafkaCert, KEY: kafkaKey })),
    ...halfPair('PARLEY_KAFKA', kafkaCert, kafkaKey),
    ...saslProblems(given),
  ];
};

export const endpointProblems = (given: GivenAddresses): string[] => [
  ...temporalProblems(given),
  ...kafkaProblems(given),
];
