/**
 * Compares a host with what it offered before its drain. A host may be up long before its devices are there, or while
 * something still keeps instances away from it.
 */
import type { Amounts } from './amounts';
import type { CloudHost } from './cloud-facts';

/** What a host offered before its first drain in a session, as its row keeps it. */
export interface OfferedBefore {
  readonly amounts: Amounts;
  readonly devices: Amounts;
  readonly keepsAway: readonly string[];
}

type Offering = Pick<CloudHost, 'amounts' | 'devices' | 'keepsAway'>;

export const offeredBy = ({ amounts, devices = {}, keepsAway = [] }: Offering): OfferedBefore => ({
  amounts,
  devices,
  keepsAway,
});

/** What a host lacks, or what is new on it. */
export interface Difference {
  /** The resource, the device, or the mark: an admin may have a session ignore it by this name. */
  readonly name: string;
  /** A clause about the host. */
  readonly says: string;
}

/**
 * The differences from before; none: it is as it was. Of devices all have to be there again. Of other resources it is
 * enough that there are some: a new kernel may leave a little less memory.
 * @param before null: nobody has recorded it
 */
export const differencesFrom = (before: OfferedBefore | null, now: Offering): readonly Difference[] =>
  before === null ? [] : [...missing(before, now), ...newlyKeptAway(before, now)];

/**
 * The differences as clauses about the host.
 * @param ignored the names of those that its session ignores
 */
export const notAsBefore = (
  before: OfferedBefore | null,
  now: Offering,
  ignored: readonly string[] = [],
): readonly string[] =>
  differencesFrom(before, now).flatMap(({ name, says }) => (ignored.includes(name) ? [] : [says]));

const missing = ({ amounts, devices }: OfferedBefore, now: Offering): readonly Difference[] => {
  const isUnknown = Object.keys(now.amounts).length === 0;
  const others = Object.entries(amounts).filter(([name, amount]) => amount > 0 && !(name in devices));
  const lost = isUnknown ? [] : others.filter(([name]) => (now.amounts[name] ?? 0) === 0);
  return [
    ...lost.map(([name]) => ({ name, says: `it offers no ${name}` })),
    ...Object.entries(devices).flatMap(([name, had]) => {
      const has = now.devices?.[name] ?? 0;
      return has < had ? [{ name, says: `it offers ${has} of ${had} ${name}` }] : [];
    }),
  ];
};

const newlyKeptAway = ({ keepsAway }: OfferedBefore, now: Offering): readonly Difference[] =>
  (now.keepsAway ?? [])
    .filter((mark) => !keepsAway.includes(mark))
    .map((mark) => ({ name: mark, says: `it keeps instances away by ${mark}, which it did not before` }));

/** What may be said of a host that is not itself at present. */
export interface OnceItself {
  /** The amounts that it offers then, as far as they are more than now. Infinity: nobody knows how much. */
  readonly amountsOnceItself?: Amounts;
  /** Set where nobody knows the class that it has then. */
  readonly isClassUnknown?: true;
}

/** @param before of a host under work; null: of any other */
export const onceItselfOf = (before: OfferedBefore | null, now: Offering): OnceItself => {
  const more = moreThan(now.amounts, [...unknownAmounts(now), ...Object.entries(before?.amounts ?? {})]);
  return {
    ...(more && { amountsOnceItself: more }),
    ...(before !== null && newlyKeptAway(before, now).length > 0 && { isClassUnknown: true }),
  };
};

const unknownAmounts = ({ devices = {} }: Offering): readonly (readonly [string, number])[] =>
  Object.entries(devices).flatMap(([name, amount]) => (amount === 0 ? [[name, Infinity] as const] : []));

/** The amounts with those of the others that are more; undefined: none is. */
const moreThan = (amounts: Amounts, others: readonly (readonly [string, number])[]): Amounts | undefined => {
  const more = others.filter(([name, amount]) => amount > (amounts[name] ?? 0));
  return more.length === 0 ? undefined : { ...amounts, ...Object.fromEntries(more) };
};
