/**
 * Every setting of Parley, once. Four places use this table: the reader of the environment (config/settings.ts), the
 * table of docs/settings.md and .env.example (config/settings-document.ts), and the check of the deployment files.
 */
import { usualTimes } from '../rules/decisions/fleet/usual-times';
import { usualImpactShare } from '../rules/decisions/limits/default-impact';
import { usualReplySeconds } from '../rules/questions/reply-window';
import { comingSettings } from './coming-settings';
import { optional, required, type Setting, withDefault } from './define-setting';
import { downloadSettings } from './download-settings';
import { kafkaAccessSettings, temporalAccessSettings } from './endpoint-settings';
import { hostSettings } from './host-settings';
import { httpSettings } from './http-settings';
import { identitySettings } from './identity-settings';
import { kubernetesSettings } from './kubernetes-settings';
import { monitoringSettings } from './monitoring-settings';
import { proxySettings } from './proxy-settings';
import { retentionSettings } from './retention-settings';
import * as parse from './setting-parsers';
import { webhookSettings } from './webhook-settings';

export type { Setting } from './define-setting';

const seconds = parse.integer({ min: 1, max: 31_536_000 });

export const settingsTable = {
  host: withDefault('PARLEY_HOST', '127.0.0.1', {
    meaning: 'Address that the API listens on. With `PARLEY_AUTH=none` it must be a loopback address.',
    parse: parse.hostName,
  }),
  port: withDefault('PARLEY_PORT', '12347', {
    meaning: 'Port that the API listens on.',
    parse: parse.integer({ min: 1, max: 65_535 }),
  }),
  baseUrl: optional('PARLEY_BASE_URL', '`http://<PARLEY_HOST>:<PARLEY_PORT>`', {
    meaning: 'Address under which projects reach the API, with or without `/v1`; reply URLs in events begin with it.',
    parse: parse.serviceUrl,
  }),
  dataDir: withDefault('PARLEY_DATA_DIR', '.parley', {
    meaning: 'Folder of the local stack: its databases, logs and chosen ports.',
    parse: parse.filePath,
  }),
  databaseUrl: required('DATABASE_URL', 'required; `parley up` starts a PostgreSQL of its own', {
    meaning:
      'PostgreSQL database of the service; created and migrated at start. With TLS: `?sslmode=verify-full&sslrootcert=FILE`, and `&sslcert=FILE&sslkey=FILE` where the server asks for a certificate.',
    parse: parse.postgresUrl,
  }),
  temporalAddress: withDefault('PARLEY_TEMPORAL_ADDRESS', '127.0.0.1:7233', {
    meaning: 'Temporal frontend. `parley up` starts a server of its own unless this is set.',
    parse: parse.address,
  }),
  temporalNamespace: withDefault('PARLEY_TEMPORAL_NAMESPACE', 'default', {
    meaning: 'Temporal namespace of the sessions.',
    parse: parse.plainName,
  }),
  ...temporalAccessSettings,
  kafkaBrokers: optional('KAFKA_BROKERS', 'no Kafka: `GET /v1/events` is the bus', {
    meaning: 'Kafka brokers, `host:port`, separated by commas.',
    parse: parse.addressList,
  }),
  ...kafkaAccessSettings,
  kafkaTopic: optional('PARLEY_KAFKA_TOPIC', '`parley.notifications`, or `notifications.info` in format `oslo`', {
    meaning: 'Kafka topic of the events.',
    parse: parse.plainName,
  }),
  eventFormat: withDefault('PARLEY_EVENT_FORMAT', 'plain', {
    meaning:
      'Form of the events on Kafka: `plain`, `cloudevents` for CloudEvents 1.0 (structured), or `oslo` for consumers that use oslo.messaging.',
    parse: parse.oneOf('plain', 'oslo', 'cloudevents'),
  }),
  cloudEventsPrefix: optional('PARLEY_CLOUDEVENTS_PREFIX', 'the value of `PARLEY_SERVICE_NAME`', {
    meaning:
      'Begins the `type` of each event in format `cloudevents`; choose a name of yours, such as `org.example.parley`.',
    parse: parse.plainName,
  }),
  serviceName: withDefault('PARLEY_SERVICE_NAME', 'parley', {
    meaning: '`service` and `publisher_id` of the events; some older clients expect `fenix`.',
    parse: parse.plainName,
  }),
  projectEventType: withDefault('PARLEY_PROJECT_EVENT_TYPE', 'maintenance.planned', {
    meaning: 'Event type of the events for projects; older clients expect `maintenance.scheduled`.',
    parse: parse.plainName,
  }),
  ...webhookSettings,
  ...identitySettings,
  ...proxySettings,
  osAuthUrl: optional('OS_AUTH_URL', 'none; required with `PARLEY_AUTH=keystone` and `PARLEY_CLOUD=openstack`', {
    meaning: 'Keystone, version 3. The service logs in with the other `OS_` variables.',
    parse: parse.keystoneUrl,
  }),
  osUsername: optional('OS_USERNAME', 'none', {
    meaning: 'User name; or give `OS_USER_ID`, or an application credential.',
    parse: parse.anyText,
  }),
  osUserId: optional('OS_USER_ID', 'none', { meaning: 'User ID, in place of name and domain.', parse: parse.anyText }),
  osPassword: optional('OS_PASSWORD', 'none', { meaning: "The user's password.", parse: parse.anyText }),
  osUserDomainName: withDefault('OS_USER_DOMAIN_NAME', 'Default', {
    meaning: 'Domain of the user.',
    parse: parse.anyText,
  }),
  osUserDomainId: optional('OS_USER_DOMAIN_ID', 'none', {
    meaning: "ID of the user's domain, in place of its name.",
    parse: parse.anyText,
  }),
  osProjectName: optional('OS_PROJECT_NAME', 'none', {
    meaning: 'Project of the login; or give `OS_PROJECT_ID`.',
    parse: parse.anyText,
  }),
  osProjectId: optional('OS_PROJECT_ID', 'none', {
    meaning: 'Project ID, in place of name and domain.',
    parse: parse.anyText,
  }),
  osProjectDomainName: withDefault('OS_PROJECT_DOMAIN_NAME', 'Default', {
    meaning: 'Domain of the project.',
    parse: parse.anyText,
  }),
  osProjectDomainId: optional('OS_PROJECT_DOMAIN_ID', 'none', {
    meaning: "ID of the project's domain, in place of its name.",
    parse: parse.anyText,
  }),
  osApplicationCredentialId: optional('OS_APPLICATION_CREDENTIAL_ID', 'none', {
    meaning: 'Application credential, in place of user, password and project.',
    parse: parse.anyText,
  }),
  osApplicationCredentialSecret: optional('OS_APPLICATION_CREDENTIAL_SECRET', 'none', {
    meaning: 'Secret of the application credential.',
    parse: parse.anyText,
  }),
  adminProjectId: withDefault('PARLEY_ADMIN_PROJECT_ID', '0a4d1e7c5d0b4b529a3e7061726c6579', {
    meaning: '`project_id` of the admin events, written as here (UUID).',
    parse: parse.uuid,
  }),
  cloud: withDefault('PARLEY_CLOUD', 'simulated', {
    meaning: 'Cloud driver: `simulated`, `openstack` or `kubernetes`.',
    parse: parse.oneOf('simulated', 'openstack', 'kubernetes'),
  }),
  fleetFile: optional('PARLEY_FLEET', 'none', {
    meaning: 'Fleet file that the simulated cloud loads when it holds no hosts.',
    parse: parse.filePath,
  }),
  simSpeed: withDefault('PARLEY_SIM_SPEED', '1', {
    meaning: 'Simulated seconds that pass in a second.',
    parse: parse.positiveNumber,
  }),
  osRegionName: optional('OS_REGION_NAME', 'any', {
    meaning: 'Region of the endpoints in the catalogue.',
    parse: parse.anyText,
  }),
  osInterface: withDefault('OS_INTERFACE', 'public', {
    meaning: 'Endpoints in the catalogue: `public`, `internal` or `admin`, also as `publicURL` and so on.',
    parse: parse.oneOf('public', 'internal', 'admin', 'publicURL', 'internalURL', 'adminURL'),
  }),
  osCacert: optional('OS_CACERT', 'those of Node.js', {
    meaning: 'File with the certificates (PEM) that OpenStack is trusted by.',
    parse: parse.filePath,
  }),
  osComputeEndpoint: optional('OS_COMPUTE_ENDPOINT_OVERRIDE', "the catalogue's", {
    meaning: 'Address of Nova, such as `https://nova.example.org:8774/v2.1`.',
    parse: parse.httpUrl,
  }),
  osPlacementEndpoint: optional('OS_PLACEMENT_ENDPOINT_OVERRIDE', "the catalogue's", {
    meaning: 'Address of placement.',
    parse: parse.httpUrl,
  }),
  osTimeoutSeconds: withDefault('PARLEY_OPENSTACK_TIMEOUT_SECONDS', '15', {
    meaning: 'Seconds that an answer of OpenStack may take.',
    parse: parse.integer({ min: 1, max: 60 }),
  }),
  osNoHostSeconds: withDefault('PARLEY_OPENSTACK_NO_HOST_SECONDS', '180', {
    meaning: 'Seconds after which the service tries a target again that Nova refused for a server (no valid host).',
    parse: parse.integer({ min: 0, max: 86_400 }),
  }),
  osMovesPerHost: withDefault('PARLEY_OPENSTACK_MOVES_PER_HOST', '1', {
    meaning:
      "Largest number of moves in flight from or to a host; 0: no bound. Nova's own default for live migrations from a host (`max_concurrent_live_migrations`) is 1; further ones wait in its queue.",
    parse: parse.integer({ min: 0, max: 1_000 }),
  }),
  osZones: withDefault('PARLEY_OPENSTACK_ZONES', 'keep', {
    meaning:
      'For Nova before 2.96 (2024.1), which does not tell the availability zone that a server was created for: `keep` supposes the zone that it is in, `any` supposes none, so that servers move across zones.',
    parse: parse.oneOf('keep', 'any'),
  }),
  ...kubernetesSettings,
  maxSessions: withDefault('PARLEY_MAX_SESSIONS', '10', {
    meaning: 'Largest number of unfinished sessions; a request for one more session is answered 509.',
    parse: parse.integer({ min: 1 }),
  }),
  hostsAtOnce: withDefault('PARLEY_WORKER_HOSTS', '2000', {
    meaning:
      'Hosts that a worker process drains at a time, each with all its moves. Further hosts wait for a place in any worker.',
    parse: parse.integer({ min: 1, max: 100_000 }),
  }),
  pluginsAtOnce: withDefault('PARLEY_WORKER_PLUGINS', '500', {
    meaning: 'Action plug-ins that a worker process runs at a time. Further ones wait for a place in any worker.',
    parse: parse.integer({ min: 1, max: 100_000 }),
  }),
  projectReplySeconds: withDefault('PARLEY_PROJECT_REPLY_SECONDS', String(usualReplySeconds), {
    meaning: 'Seconds that a project has for a reply where no `lead_time` says otherwise.',
    parse: seconds,
  }),
  scaleInReplySeconds: withDefault('PARLEY_SCALE_IN_REPLY_SECONDS', '60', {
    meaning: 'Seconds that a project has to scale in.',
    parse: seconds,
  }),
  nackRetries: withDefault('PARLEY_NACK_RETRIES', '2', {
    meaning: 'How often a project that answers NACK is asked again before the session fails.',
    parse: parse.integer({ min: 0 }),
  }),
  nackRetrySeconds: withDefault('PARLEY_NACK_RETRY_SECONDS', '10', {
    meaning: 'Seconds from a NACK to the next question.',
    parse: seconds,
  }),
  scaleInRounds: withDefault('PARLEY_SCALE_IN_ROUNDS', '3', {
    meaning:
      'Rounds of SCALE_IN in a row that may leave as much capacity missing as before until the session fails; a round asks every project once.',
    parse: parse.integer({ min: 1 }),
  }),
  ownActionSeconds: withDefault('PARLEY_OWN_ACTION_SECONDS', '600', {
    meaning: 'Seconds that a project has to carry out its OWN_ACTION; a longer `lead_time` counts instead.',
    parse: seconds,
  }),
  liveMoveSeconds: withDefault('PARLEY_LIVE_MOVE_SECONDS', '800', {
    meaning: 'Seconds that a live migration may take where no `max_interruption_time` says otherwise.',
    parse: seconds,
  }),
  moveSeconds: withDefault('PARLEY_MOVE_SECONDS', '1800', {
    meaning: 'Seconds that a forced or cold move may take.',
    parse: seconds,
  }),
  ...hostSettings,
  expectedMaintenanceSeconds: withDefault(
    'PARLEY_EXPECTED_MAINTENANCE_SECONDS',
    String(usualTimes.maintenanceSeconds),
    {
      meaning: 'Expected seconds of a maintenance, where the cloud does not say them and none was seen before.',
      parse: seconds,
    },
  ),
  expectedMoveSeconds: withDefault('PARLEY_EXPECTED_MOVE_SECONDS', String(usualTimes.moveSeconds), {
    meaning: 'Seconds that a plan expects a move to take, when no such move of the project was seen before.',
    parse: seconds,
  }),
  expectedAnswerSeconds: withDefault('PARLEY_EXPECTED_ANSWER_SECONDS', String(usualTimes.answerSeconds), {
    meaning: 'Seconds that a plan expects a project to take for its answer, when it was not asked before.',
    parse: seconds,
  }),
  plansAtOnce: withDefault('PARLEY_PLANS_AT_ONCE', '2', {
    meaning: 'Plans that an API process makes at once, each on a processor; further ones are answered 503.',
    parse: parse.integer({ min: 1, max: 64 }),
  }),
  planSeconds: withDefault('PARLEY_PLAN_SECONDS', '60', {
    meaning: 'Seconds after which a plan is given up, and answered 503.',
    parse: seconds,
  }),
  ...comingSettings,
  ...downloadSettings,
  ...httpSettings,
  takeUpSeconds: withDefault('PARLEY_TAKE_UP_SECONDS', '60', {
    meaning:
      "Seconds within which a session must act on an abort, a deletion or a resume, and within which a package's code must end when it is cancelled; the service waits no longer for either.",
    // The sweeper, which asks again, first looks some 20 seconds after a request.
    parse: parse.integer({ min: 30, max: 86_400 }),
  }),
  pluginSeconds: withDefault('PARLEY_PLUGIN_SECONDS', '14400', {
    meaning: 'Seconds that an action plug-in may take on a host; `timeout_seconds` of its metadata may shorten it.',
    parse: parse.integer({ min: 1, max: 604_800 }),
  }),
  defaultImpactShare: withDefault('PARLEY_DEFAULT_IMPACT_SHARE', String(usualImpactShare), {
    meaning: 'Share of a group without constraints that `vnf` may impact at once; one member is always allowed.',
    parse: parse.share,
  }),
  keepAliveSeconds: withDefault('PARLEY_KEEP_ALIVE_SECONDS', '75', {
    meaning: 'Seconds that the API keeps a connection for its next request; choose more than clients and proxies do.',
    parse: parse.integer({ min: 1, max: 86_400 }),
  }),
  callsPerMinute: withDefault('PARLEY_CALLS_PER_MINUTE', '12000', {
    meaning:
      'Requests that a caller (a user, or a project where users cannot be told apart) may send to an API process within a minute; further ones are answered 429. Replies are always taken, and `PARLEY_AUTH=none` has no bound.',
    parse: parse.integer({ min: 60 }),
  }),
  streamsPerCaller: withDefault('PARLEY_STREAMS_PER_CALLER', '1000', {
    meaning:
      'Event streams (`GET /v1/events`) that a caller may have open at an API process; a further one is answered 429.',
    parse: parse.integer({ min: 1 }),
  }),
  bodyLimitBytes: withDefault('PARLEY_BODY_LIMIT', '1 MiB', {
    meaning: 'Largest request body: bytes, or with KiB or MiB; a larger one is answered 400.',
    parse: parse.byteCount,
  }),
  metadataLimitBytes: withDefault('PARLEY_METADATA_LIMIT', '256 KiB', {
    meaning:
      'Largest `metadata` of a session as JSON: bytes, or with KiB or MiB; a larger one is answered 400. Every event to a project repeats it, in format `oslo` with up to twice the bytes, and Kafka takes 1 MiB by default.',
    parse: parse.byteCount,
  }),
  ...retentionSettings,
  ...monitoringSettings,
  logLevel: withDefault('PARLEY_LOG_LEVEL', 'info', {
    meaning: 'Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error` or `silent`.',
    parse: parse.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
  }),
} as const;

export type SettingsTable = typeof settingsTable;
export const allSettings: readonly Setting<unknown>[] = Object.values(settingsTable);
