/** Requests for many things, one each: a refusal stops none of the others, and all refusals are told at the end. */
import { withShortIds } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import { CommandFailure, exitCodes } from './exit';

export interface OneByOne<Thing> {
  readonly things: readonly Thing[];
  /** KIND/ID */
  readonly nameOf: (thing: Thing) => string;
  /** One and many, as words. */
  readonly words: readonly [one: string, many: string];
  readonly act: (thing: Thing, at: number) => Promise<void>;
}

interface RefusedOne {
  readonly name: string;
  readonly because: string;
  /** The reason without the thing: equal for things that are refused alike. */
  readonly reason: string;
}

/** @throws CommandFailure that names all refused things, and tells each reason once */
export const oneByOne = async <Thing>({ things, nameOf, words, act }: OneByOne<Thing>): Promise<void> => {
  const refusals: RefusedOne[] = [];
  for (const [at, thing] of things.entries()) {
    try {
      await act(thing, at);
    } catch (error) {
      // Where nobody answers, or no token fits, it is the same for the others.
      if (!(error instanceof CommandFailure) || error.exitCode !== exitCodes.failed) throw error;
      if (things.length === 1) throw error;
      refusals.push(refusalOf(nameOf(thing), error));
    }
  }
  if (refusals.length === 0) return;
  const [one, many] = words;
  const verb = refusals.length === 1 ? 'was' : 'were';
  throw new CommandFailure(
    `${count(refusals.length, one, many)} of ${things.length} ${verb} refused`,
    exitCodes.failed,
    groupedByReason(refusals),
  );
};

const refusalOf = (name: string, { message, help }: CommandFailure): RefusedOne => {
  const id = name.slice(name.indexOf('/') + 1);
  const own = [id, withShortIds(id)];
  const because = [message, ...help].filter((text) => text !== '').join('; ');
  const reason = because.split(/([\s:;,]+)/).map((word) => (own.includes(word) ? '…' : word));
  return { name, because, reason: reason.join('') };
};

const groupedByReason = (refusals: readonly RefusedOne[]): string[] =>
  [...Map.groupBy(refusals, ({ reason }) => reason)].flatMap(([reason, alike]) => {
    const [first] = alike;
    if (first !== undefined && alike.length === 1) return [`${first.name}: ${first.because}`];
    return [`${alike.length} of them: ${reason}`, `  ${alike.map(({ name }) => name).join(', ')}`];
  });
