/** The body of a create request, from a file, a plan, and flags. Flags win. The API checks it. */
import type { CreateSessionBody } from '../../api/schemas/session-schemas';
import type { Console } from './console';
import { usageFailure } from './exit';
import { dictionaryIn, fieldsIn, readInputFile } from './input-file';

export interface RequestFlags {
  readonly file?: string;
  readonly fromPlan?: string;
  readonly hosts?: string;
  readonly select?: string;
  readonly except?: string;
  readonly workflow?: string;
  readonly start?: string;
  readonly name?: string;
  /** FIELD=VALUE of the request. */
  readonly set?: readonly string[];
}

export const requestFrom = async (console: Console, flags: RequestFlags, now: Date): Promise<CreateSessionBody> => {
  const given = await givenIn(console, flags);
  if (given === undefined && !saysHosts(flags)) {
    throw usageFailure(
      'say which session: -f FILE, --from-plan FILE, --hosts NAMES (all: every host), or --select LABELS',
    );
  }
  const usual = { state: 'MAINTENANCE', workflow: 'default', metadata: {}, maintenance_at: now.toISOString() };
  const body = {
    ...usual,
    ...given,
    ...(flags.hosts !== undefined && { hosts: hostsIn(flags) }),
    ...selectIn(flags, given?.['select']),
    ...(flags.workflow !== undefined && { workflow: flags.workflow }),
    ...(flags.start !== undefined && { maintenance_at: flags.start }),
    ...(flags.name !== undefined && { name: flags.name }),
    ...fieldsIn(flags.set ?? []),
  };
  // The API checks the whole of it, and names each wrong field.
  return body;
};

/** True where the flags say which hosts a new session has. */
export const saysHosts = ({ hosts, select }: RequestFlags): boolean => hosts !== undefined || select !== undefined;

/** A flag stands for its part of the selection. */
const selectIn = ({ select, except }: RequestFlags, given: unknown): { readonly select?: object } => {
  if (select === undefined && except === undefined) return {};
  return {
    select: {
      ...(typeof given === 'object' && given),
      ...(select !== undefined && { labels: select }),
      ...(except !== undefined && { except: namesIn('--except', except) }),
    },
  };
};

const givenIn = async (
  console: Console,
  { file, fromPlan }: RequestFlags,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  if (file !== undefined && fromPlan !== undefined) throw usageFailure('give either -f or --from-plan');
  if (file !== undefined) return dictionaryIn(await readInputFile(console, file), file);
  if (fromPlan === undefined) return undefined;
  const { request } = dictionaryIn(await readInputFile(console, fromPlan), fromPlan);
  if (request === undefined || request === null) {
    throw usageFailure(`${fromPlan} holds no create request`, 'make a plan: parley plan -f FILE -o json >plan.json');
  }
  return dictionaryIn(request, fromPlan);
};

/** The API takes a request without hosts and a selector as one for every host of the cloud, but for exceptions. */
export const isForEveryHost = ({ hosts, select }: CreateSessionBody): boolean =>
  (hosts ?? []).length === 0 && select?.labels === undefined;

/** `all` is every host of the cloud. */
const hostsIn = ({ hosts = '', select }: RequestFlags): string[] => {
  if (hosts !== 'all') return namesIn('--hosts', hosts);
  if (select !== undefined) throw usageFailure('give either --hosts all or --select');
  return [];
};

/** An empty list is a mistake, such as a variable that is not set. */
const namesIn = (flag: string, text: string): string[] => {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (names.length === 0) throw usageFailure(`${flag} names no host`, 'every host of the cloud is --hosts all');
  return names;
};
