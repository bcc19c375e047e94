/** Why an instance cannot leave its host at all: one wording for each reason, whoever tells it. */
import type { Cause } from './blocker';
import { type HostsTried, unfitWords } from './hosts-tried';

export interface NamedInstance {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
}

export const instanceWords = ({ id, name, projectId }: NamedInstance): string =>
  `instance ${name} (${id}) of project ${projectId}`;

/** What a host must have besides capacity, in words that follow the host. */
export const having = (wanted: readonly string[]): string =>
  wanted.length === 0 ? '' : ` with ${wanted.join(' and ')}`;

/** @param cannotMove why the cloud does not move the instance, whatever its state is */
export const onlyOwnAction = (cannotMove: string): string =>
  `the cloud does not move it, since ${cannotMove}: only its project can act (OWN_ACTION)`;

export const helpToAct = 'let its manager answer OWN_ACTION in time and carry it out, or take away what keeps it there';

/** Further help, for a failed session. */
export const cannotBeMoved = (cannotMove: string): string =>
  `${onlyOwnAction(cannotMove)}; ${helpToAct}, then continue the session`;

export interface HeldInstance extends NamedInstance {
  /** Its reason is in words that follow "since". */
  readonly departure: { readonly kind: string; readonly why?: Cause };
}

/** @param others that are held on the same host, each told with its reason unless that is the one of the first */
export const heldByState = (first: HeldInstance, others: readonly HeldInstance[] = []): Cause => {
  const { owner, because, help } = first.departure.why ?? { owner: 'operator', because: 'of its state', help: 'wait' };
  const also = [...Map.groupBy(others, ({ departure }) => departure.why?.because ?? because)].map(
    ([other, held]) => `${alsoKept(held)}${other === because ? '' : `, since ${other}`}`,
  );
  return { owner, because: `${instanceWords(first)} cannot be moved, since ${because}${also.join('')}`, help };
};

/** No other host could take an instance, not even an empty one. */
export interface NoHost extends HostsTried {
  /** The amounts that it takes, in words. */
  readonly needs: string;
  /** Everything else that its host must have, in words. */
  readonly wanted: readonly string[];
}

/**
 * @param tried the hosts that were tried for the first of the instances
 * @param isUpToSession a session may evict the first all the same
 */
export const fitsOnNoHost = (
  [first, ...others]: readonly [NamedInstance, ...NamedInstance[]],
  tried: NoHost,
  isUpToSession: boolean,
): Cause => {
  const { needs, wanted } = tried;
  const who = `${instanceWords(first)} needs ${needs}`;
  const none = `${who}: no other enabled compute host${having(wanted)} is that large, even empty`;
  const help = 'add or enable such a host, or let its project make the instance smaller';
  const andOption = 'let the session evict it until its host is back (eviction.local_data)';
  return {
    owner: 'operator',
    because: `${[none, ...unfitWords(tried)].join('; ')}${alsoKept(others)}`,
    help: isUpToSession ? `${help}, or ${andOption}` : help,
  };
};

/** The failure of a session is read as one sentence. */
const mostListed = 10;

const listed = (instances: readonly NamedInstance[]): string => {
  const named = instances.slice(0, mostListed).map(({ id, name }) => `${name} (${id})`);
  const more = instances.length - named.length;
  return `instance ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
};

/** Further instances that are kept on the same host; follows the words about the first one. */
const alsoKept = (others: readonly NamedInstance[]): string =>
  others.length === 0 ? '' : `; ${listed(others)} cannot leave it either`;

/** @param who the host that is down, or `it` */
export const hostIsDown = (who: string, instances: readonly NamedInstance[]): Cause => {
  const consequence =
    instances.length === 0 ? ': its service in the cloud does not answer' : `, so nobody can move ${listed(instances)}`;
  return {
    owner: 'operator',
    because: `${who} is down${consequence}`,
    help: 'bring it up again, or leave it out of the session',
  };
};
