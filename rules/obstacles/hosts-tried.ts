/** The words for hosts that were tried for an instance: what each of them lacks. */

export interface HostsTried {
  /** The names of hosts that lack something of what the instance needs, by what they lack. */
  readonly unfit: ReadonlyMap<string, readonly string[]>;
}

const mostLacksTold = 5;

/** Says for example "hosts c and d lack zone a" and "host e lacks 4 vcpus": what most of them lack comes first. */
export const unfitWords = ({ unfit }: HostsTried): readonly string[] => {
  const lacks = [...unfit].sort(([, one], [, other]) => other.length - one.length);
  const told = lacks.slice(0, mostLacksTold).map(([what, names]) => `${hostsNamed(names)} ${lack(names)} ${what}`);
  const others = lacks.slice(mostLacksTold).flatMap(([, names]) => names);
  return others.length === 0 ? told : [...told, `${hostsNamed(others)} ${lack(others)} something else`];
};

const lack = (names: readonly string[]): string => (names.length === 1 ? 'lacks' : 'lack');

const mostHostsNamed = 3;

/** "host b", "hosts b and c", "hosts b, c, d and 17 more". */
const hostsNamed = (names: readonly string[]): string => {
  const more = names.length - mostHostsNamed;
  const told = more > 0 ? [...names.slice(0, mostHostsNamed), `${more} more`] : names;
  const last = told.at(-1) ?? '';
  return told.length === 1 ? `host ${last}` : `hosts ${told.slice(0, -1).join(', ')} and ${last}`;
};
