/**
 * The settings of a process. Its entry point reads them from the environment once, and passes them on as one typed
 * value. config/settings-table.ts lists all settings with their meaning. All wrong values are reported at start,
 * together.
 */
import type { KeystoneSettings } from '../clouds/keystone/keystone-settings';
import type { AllowedSource } from '../plugins/addresses/allowed-source';
import { endpointProblems } from './endpoint-problems';
import { oidcProblems } from './identity-settings';
import { keystoneFields, type KeystoneVariables, readKeystone } from './keystone-variables';
import { isLoopback } from './loopback';
import { withProxyNames } from './proxy-settings';
import { isServiceLink } from './service-links';
import { type AllowedReceivers, UnfitValue } from './setting-parsers';
import { type Setting, type SettingsTable, settingsTable } from './settings-table';
import { unknownVariables } from './unknown-variables';

type Environment = Readonly<Record<string, string | undefined>>;

type ReadSettings<Table> = { readonly [Field in keyof Table]: Table[Field] extends Setting<infer T> ? T : never };
type TableValues = ReadSettings<SettingsTable>;

type KeystoneField = keyof KeystoneVariables;
type OtherwiseTyped =
  | 'baseUrl'
  | 'cloudEventsPrefix'
  | 'kafkaBrokers'
  | 'kafkaTopic'
  | 'tokensFile'
  | 'fleetFile'
  | 'downloadAllow'
  | 'httpAllow'
  | 'webhookAllow';

/** The settings table documents each field. Times are in the unit at the end of their name. */
export interface Settings extends Omit<TableValues, KeystoneField | OtherwiseTyped> {
  /** The base URL without a slash at its end. */
  readonly baseUrl: string;
  readonly cloudEventsPrefix: string;
  /** Empty: no Kafka. */
  readonly kafkaBrokers: readonly string[];
  readonly kafkaTopic: string;
  /** The OS_* variables. Always set when the service needs Keystone. */
  readonly keystone?: KeystoneSettings;
  /** Empty: sessions can download nothing. */
  readonly downloadAllow: readonly AllowedSource[];
  /** Empty: there is no action plug-in `http`. */
  readonly httpAllow: readonly AllowedSource[];
  /** The receivers that are allowed. There are no webhooks when it names none. */
  readonly webhookAllow: AllowedReceivers;
  /** Always set when `auth` is `token`. */
  readonly tokensFile?: string;
  readonly fleetFile?: string;
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  /** @param problems one line for each variable that is wrong or unknown */
  constructor(readonly problems: readonly string[]) {
    super(`wrong settings in the environment:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  }
}

/** Treats as not set what a compose file or a shell passes on empty, and what Kubernetes says of its Services. */
const givenText = (env: Environment, name: string): string | undefined => {
  const text = env[name]?.trim() ?? '';
  return text === '' || isServiceLink(name, text) ? undefined : text;
};

/** Hides the password of a wrong address, so that it does not get into a log. */
const withoutPassword = (text: string): string => text.replace(/:[^:@/]*@/, ':…@');

const describeProblem = (name: string, given: string | undefined, unfit: UnfitValue): string =>
  given === undefined
    ? `${name} is not set; it must be ${unfit.message}`
    : `${name} is ${JSON.stringify(withoutPassword(given))}; it must be ${unfit.message}`;

const readOne = (setting: Setting<unknown>, env: Environment): { value?: unknown; problem?: string } => {
  const given = givenText(env, setting.name);
  try {
    return { value: setting.read(given) };
  } catch (error) {
    if (error instanceof UnfitValue) return { problem: describeProblem(setting.name, given, error) };
    throw error;
  }
};

/** The parts of the service that log in to Keystone, with their purposes. */
const keystoneUses = ({ auth, cloud }: Partial<TableValues>): string[] => [
  ...(auth === 'keystone' ? ['PARLEY_AUTH=keystone logs in with it to check tokens'] : []),
  ...(cloud === 'openstack' ? ['PARLEY_CLOUD=openstack logs in with it'] : []),
];

const keystoneProblems = (values: Partial<TableValues>): string[] => {
  const keystone = readKeystone(values);
  if ('value' in keystone) return [];
  return keystoneUses(values).flatMap((use) => keystone.missing.map((name) => `${name} is not set; ${use}`));
};

/** Telemetry services cut text at 255 characters, and a reply URL ends in up to three UUIDs. */
const osloBaseUrlLength = 255 - '/v1/maintenance'.length - 3 * '/00000000-0000-4000-8000-000000000000'.length;

const lengthProblems = ({ eventFormat, baseUrl = '' }: Partial<TableValues>): string[] =>
  eventFormat === 'oslo' && baseUrl.length > osloBaseUrlLength
    ? [
        `PARLEY_BASE_URL has ${String(baseUrl.length)} characters; with PARLEY_EVENT_FORMAT=oslo at most ` +
          `${String(osloBaseUrlLength)} fit, since telemetry cuts the reply URLs that begin with it at 255`,
      ]
    : [];

/** Values that are valid alone and wrong together. */
const contradictions = (values: Partial<TableValues>): string[] => {
  const { auth, tokensFile, host } = values;
  const problems = [
    ...keystoneProblems(values),
    ...oidcProblems(values),
    ...lengthProblems(values),
    ...endpointProblems(values),
  ];
  if (auth === 'token' && tokensFile === undefined) {
    problems.push('PARLEY_TOKENS_FILE is not set; PARLEY_AUTH=token needs the file that lists the tokens');
  }
  if (auth === 'none' && host !== undefined && !isLoopback(host)) {
    problems.push(
      `PARLEY_HOST is ${JSON.stringify(host)}, beyond loopback, where PARLEY_AUTH=none would make everybody admin; ` +
        'set PARLEY_AUTH=token and PARLEY_TOKENS_FILE, or PARLEY_AUTH=keystone, oidc or kubernetes, or listen on 127.0.0.1',
    );
  }
  return problems;
};

const readTable = (env: Environment): TableValues => {
  const read = Object.entries(settingsTable).map(([field, setting]) => ({ field, ...readOne(setting, env) }));
  const values = Object.fromEntries(read.map(({ field, value }) => [field, value])) as Partial<TableValues>;
  const wrong = read.flatMap(({ problem }) => problem ?? []);
  const problems = [...wrong, ...unknownVariables(env), ...contradictions(values)];
  if (problems.length > 0) throw new SettingsError(problems);
  return values as TableValues;
};

const addressInUrl = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;

const defaultTopics = {
  plain: 'parley.notifications',
  cloudevents: 'parley.notifications',
  oslo: 'notifications.info',
} as const;

/** All settings but the OS_* variables, which are kept in one value. */
const withoutKeystone = (values: TableValues): Omit<TableValues, KeystoneField> => {
  const fields = Object.entries(values).filter(([field]) => !keystoneFields.has(field));
  return Object.fromEntries(fields) as Omit<TableValues, KeystoneField>;
};

type AllowLists = Pick<Settings, 'downloadAllow' | 'httpAllow' | 'webhookAllow'>;

/** Nothing is allowed that no setting lists. */
const allowListsOf = (given: { readonly [Name in keyof AllowLists]: AllowLists[Name] | undefined }): AllowLists => ({
  downloadAllow: given.downloadAllow ?? [],
  httpAllow: given.httpAllow ?? [],
  webhookAllow: given.webhookAllow ?? { sources: [], networks: [] },
});

/**
 * Reads every setting.
 * @throws SettingsError listing every variable that is wrong, missing or misspelt
 */
export const loadSettings = (env: Environment): Settings => {
  const table = readTable(withProxyNames(env));
  const { baseUrl, cloudEventsPrefix, kafkaBrokers, kafkaTopic, tokensFile, fleetFile, ...others } =
    withoutKeystone(table);
  const { downloadAllow, httpAllow, webhookAllow, ...values } = others;
  const keystone = readKeystone(table);
  return {
    ...values,
    baseUrl: baseUrl ?? `http://${addressInUrl(values.host, values.port)}`,
    cloudEventsPrefix: cloudEventsPrefix ?? values.serviceName,
    kafkaBrokers: kafkaBrokers ?? [],
    kafkaTopic: kafkaTopic ?? defaultTopics[values.eventFormat],
    ...allowListsOf({ downloadAllow, httpAllow, webhookAllow }),
    ...(tokensFile === undefined ? {} : { tokensFile }),
    ...(fleetFile === undefined ? {} : { fleetFile }),
    ...('value' in keystone ? { keystone: keystone.value } : {}),
  };
};
