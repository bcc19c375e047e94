/**
 * Holds the sources of a cloud about one host against each other. What only some of them know is a doubt: the host may
 * hold an instance, whatever the others say.
 */
import type { CloudInstance, HostContent } from '../rules/cloud/cloud-facts';
import type { HostDoubt } from '../rules/cloud/host-findings';

/** A source of a cloud, and what it places on the host. */
export interface ContentSource {
  /** Words that can be the subject of a sentence, for example "the hypervisor". */
  readonly name: string;
  /** Instances by their IDs, as `CloudInstance` has them, with names as far as the source knows them. */
  readonly placed: ReadonlyMap<string, string | undefined>;
}

export interface ComparedSources {
  readonly host: string;
  /** The list of instances: it has names and projects, so it comes first. */
  readonly listed: readonly CloudInstance[];
  /** The others, beside the list of instances. */
  readonly others: readonly ContentSource[];
  /** What is known for certain of IDs that are not listed on the host, for example a move under way; left out: none. */
  readonly explained?: ReadonlyMap<string, HostDoubt>;
}

const listName = 'the list of instances';

/** An instance that is listed and that others do not know is on the host all the same: it is moved like any other. */
export const compareSources = ({ host, listed, others, explained }: ComparedSources): HostContent => {
  const isListed = new Set(listed.map(({ instanceId }) => instanceId));
  const unlisted = new Map<string, string | undefined>();
  for (const { placed } of others) {
    for (const [id, name] of placed) if (!isListed.has(id)) unlisted.set(id, name ?? unlisted.get(id));
  }
  const doubts = [...unlisted].map(
    ([instanceId, name]) => explained?.get(instanceId) ?? doubtAbout({ host, instanceId, name, others }),
  );
  return { instances: listed, doubts: [...new Map(doubts.map((doubt) => [doubt.because, doubt])).values()] };
};

interface Unlisted {
  readonly host: string;
  readonly instanceId: string;
  readonly name: string | undefined;
  readonly others: readonly ContentSource[];
}

const doubtAbout = ({ host, instanceId, name, others }: Unlisted): HostDoubt => {
  const knowing = others.filter(({ placed }) => placed.has(instanceId)).map((source) => source.name);
  const missing = [listName, ...others.filter(({ placed }) => !placed.has(instanceId)).map((source) => source.name)];
  const named = name === undefined ? instanceId : `${name} (${instanceId})`;
  const because =
    `instance ${named} may be on host ${host}: ${inWords(knowing)} ${placesOf(knowing)} it there, ` +
    `${inWords(missing)} ${knowsOf(missing)} nothing of it`;
  const help = `find out whether it runs on host ${host}; then delete what is left of it there, or repair the source that is wrong`;
  return { instanceId, owner: 'operator', because, help };
};

const inWords = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const placesOf = (names: readonly string[]): string => (names.length === 1 ? 'places' : 'place');
const knowsOf = (names: readonly string[]): string => (names.length === 1 ? 'knows' : 'know');
