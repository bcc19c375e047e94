/** The parts that the commands share: the API that the settings name, the session that is meant, and the help texts. */
import type { Command, Option } from 'commander';
import type { SessionProgressBody } from '../../api/schemas/summary-schemas';
import { shortId } from '../../rules/words/times';
import { type Api, createApiCalls } from './api';
import type { Console } from './console';
import { CommandFailure, exitCodes, usageFailure } from './exit';
import { followProxies, proxiesIn } from './follow-proxies';
import { createClient } from './http-client';
import { type Output, outputOption } from './output';
import { type ApiFlags, readSettings } from './settings';
import type { HangLimits } from './unless-hung';

export interface CommonFlags extends ApiFlags {
  readonly output?: Output;
  /** Why a change is asked for. */
  readonly reason?: string;
}

export interface CommandTools {
  readonly console: Console;
  readonly apiFor: (flags: ApiFlags & Pick<CommonFlags, 'reason'>) => Promise<Api>;
}

/** @param patience with an API that does not answer; left out: the usual one */
export const createCommandTools = (console: Console, patience?: HangLimits): CommandTools => ({
  console,
  apiFor: async (flags) => {
    const { url, token } = await readSettings(console.env, flags);
    await followProxies(proxiesIn(console.env));
    const { reason } = flags;
    const options = { ...(patience && { patience }), ...(reason !== undefined && { reason }) };
    return createApiCalls(createClient({ url, token, stop: console.stop, ...options }));
  },
});

export interface Described {
  /** The name and the arguments, as commander takes them. */
  readonly usage: string;
  readonly summary: string;
  /** Further lines of the help. */
  readonly about?: string;
  /** The option -o, where it has other forms than the usual ones. */
  readonly output?: Option;
  /** The command changes something: it takes --reason. */
  readonly isChange?: true;
  /** A comment and a command each. */
  readonly examples: readonly (readonly [string, string])[];
}

/** A command with its examples, and with the options that all of them have. */
export const describe = (parent: Command, { usage, summary, about, examples, ...described }: Described): Command => {
  const { isChange, output = outputOption() } = described;
  const shown = examples.map(([comment, command]) => `  # ${comment}\n  ${command}`).join('\n\n');
  const command = parent
    .command(usage)
    .summary(summary)
    .description([summary, ...(about === undefined ? [] : [about])].join('\n\n'))
    .addOption(output)
    .option('--url <address>', 'address of the API (PARLEY_URL)')
    .option('--context <name>', 'context of the configuration file (PARLEY_CONTEXT)')
    .addHelpText('after', `\nExamples:\n${shown}`);
  return isChange === true
    ? command.option('--reason <text>', 'why, for the record of the session and the audit')
    : command;
};

/** Danger is asked for by name. */
export const confirmByName = async (
  { console }: Pick<CommandTools, 'console'>,
  { what, name, yes }: { readonly what: string; readonly name: string; readonly yes: boolean },
): Promise<void> => {
  if (yes) return;
  if (!console.isAnswerable) throw usageFailure(`${what} needs --yes where nobody can be asked`);
  const answer = await console.ask(`This will ${what}. Type ${name} to go on: `);
  if (answer.trim() !== name) throw new CommandFailure('nothing was done', exitCodes.declined);
};

const wholeId = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;
/** Characters of an ID that name it at least. */
const leastPrefix = 4;

/** An ID, its beginning, session/ID, a name, or nothing: then the one session that is not over. */
export const findSessionId = async (api: Api, given: string | undefined): Promise<string> => {
  const named = given?.replace(/^session\//, '');
  if (named !== undefined && wholeId.test(named)) return named;
  const listed = await api.sessions();
  if (named === undefined) return theOnlyOne(listed);
  const isMeant = ({ session_id: id, name }: SessionProgressBody): boolean => name === named || id.startsWith(named);
  const sessions = listed.some(isMeant) ? listed : [...listed, ...(await api.sessions({ archived: 'true' }))];
  const called = sessions.filter(({ name }) => name === named);
  if (called[0] !== undefined) return theOnlyOne(called);
  const idOf = ({ session_id: id }: SessionProgressBody) => id;
  return idOf(theOneNamed(named, { kind: 'session', things: sessions, idOf, help: 'parley list shows them all' }));
};

export interface Named<Thing> {
  readonly kind: 'session' | 'webhook' | 'question';
  readonly things: readonly Thing[];
  readonly idOf: (thing: Thing) => string;
  /** The hint when nothing fits. */
  readonly help: string;
}

/** @param given an ID, its beginning, or KIND/ID */
export const theOneNamed = <Thing>(given: string, { kind, things, idOf, help }: Named<Thing>): Thing => {
  const named = given.replace(`${kind}/`, '').toLowerCase();
  const [first, ...others] = things.filter((thing) => idOf(thing).startsWith(named));
  if (first === undefined) throw new CommandFailure(`no ${kind} begins with ${named}`, exitCodes.failed, [help]);
  if (others.length === 0 && named.length >= leastPrefix) return first;
  const all = [first, ...others].map((thing) => shortId(idOf(thing))).join(', ');
  throw usageFailure(`${named} could be ${all}: give more of the ID`);
};

const theOnlyOne = (sessions: readonly SessionProgressBody[]): string => {
  const unfinished = sessions.filter(({ progress }) => progress !== 'done');
  const [first, ...others] = unfinished.length > 0 ? unfinished : sessions;
  if (first === undefined)
    throw new CommandFailure('there is no session', exitCodes.failed, ['parley create makes one']);
  if (others.length === 0) return first.session_id;
  throw usageFailure(`say which session, by its name or -s: ${namesOf([first, ...others])}`, 'parley list shows them');
};

const namesOf = (sessions: readonly SessionProgressBody[]): string =>
  sessions.map(({ session_id: id }) => shortId(id)).join(', ');
