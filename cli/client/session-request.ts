/** The body of a create request, from a file, a plan, and flags. Flags win. The API checks it. */
import type { CreateSessionBody } from '../../api/schemas/session-schemas';
import type { Console } from './console';
import { usageFailure } from './exit';
import { dictionaryIn, fieldsIn, readInputFile } from './input-file';

export interface RequestFlags {
  readonly file?: string;
  readonly fromPlan?: string;
  readonly hosts?: string;
  readonly workflow?: string;
  readonly start?: string;
  readonly name?: string;
  /** FIELD=VALUE of the request. */
  readonly set?: readonly string[];
}

export const requestFrom = async (console: Console, flags: RequestFlags, now: Date): Promise<CreateSessionBody> => {
  const given = await givenIn(console, flags);
  if (given === undefined && flags.hosts === undefined) {
    throw usageFailure('say which session: -f FILE, --from-plan FILE, or --hosts NAMES (all: every host)');
  }
  const usual = { state: 'MAINTENANCE', workflow: 'default', metadata: {}, maintenance_at: now.toISOString() };
  const body = {
    ...usual,
    ...given,
    ...(flags.hosts !== undefined && { hosts: hostsIn(flags.hosts) }),
    ...(flags.workflow !== undefined && { workflow: flags.workflow }),
    ...(flags.start !== undefined && { maintenance_at: flags.start }),
    ...(flags.name !== undefined && { name: flags.name }),
    ...fieldsIn(flags.set ?? []),
  };
  // The API checks the whole of it, and names each wrong field.
  return body;
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

/** The API takes a request without hosts as one for every host of the cloud. */
export const isForEveryHost = ({ hosts }: CreateSessionBody): boolean => (hosts ?? []).length === 0;

/** `all` is every host of the cloud; an empty list is a mistake, such as a variable that is not set. */
const hostsIn = (names: string): string[] => {
  if (names === 'all') return [];
  const hosts = names.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (hosts.length === 0) throw usageFailure('--hosts names no host', 'every host of the cloud is --hosts all');
  return hosts;
};
