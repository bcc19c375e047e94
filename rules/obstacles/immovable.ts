/** Why an instance cannot leave its host at all: one wording for each reason, whoever tells it. */
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

/** Further help, for a failed session. */
export const cannotBeMoved = (cannotMove: string): string =>
  `${onlyOwnAction(cannotMove)}; let its manager answer OWN_ACTION in time and carry it out, or take away what keeps it there, then continue the session`;

/** @param because which state keeps the instance where it is */
export const heldByState = (instance: NamedInstance, because: string): string =>
  `${instanceWords(instance)} cannot be moved, since ${because}`;

export interface InstanceInState extends NamedInstance {
  readonly host: string;
  readonly departure: { readonly kind: string; readonly why?: WhyHeld };
}

interface WhyHeld {
  readonly because: string;
  readonly owner: 'operator' | 'project';
  readonly help: string;
}

export const stateWords = (instance: InstanceInState): string => {
  const { because = 'of its state', help } = instance.departure.why ?? {};
  return [heldByState(instance, because), ...(help === undefined ? [] : [help])].join('; ');
};

/** No other host could take an instance, not even an empty one. */
export interface NoHost extends HostsTried {
  /** The amounts that it takes, in words. */
  readonly needs: string;
  /** Everything else that its host must have, in words. */
  readonly wanted: readonly string[];
}

export const fitsOnNoHost = (instance: NamedInstance, tried: NoHost): string => {
  const { needs, wanted } = tried;
  const who = `${instanceWords(instance)} needs ${needs}`;
  return [
    `${who}: no other enabled compute host${having(wanted)} is that large, even empty`,
    ...unfitWords(tried),
  ].join('; ');
};

/** @param isUpToSession a session may evict it all the same */
export const helpToFit = (isUpToSession: boolean): string => {
  const help = 'add or enable one, or let its project make the instance smaller';
  const andOption = 'let the session evict it until its host is back (eviction.local_data)';
  return isUpToSession ? `${help}, or ${andOption}` : help;
};

/** The failure of a session is read as one sentence. */
const mostListed = 10;

const listed = (instances: readonly NamedInstance[]): string => {
  const named = instances.slice(0, mostListed).map(({ id, name }) => `${name} (${id})`);
  const more = instances.length - named.length;
  return `instance ${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
};

/** Further instances that are kept on the same host; follows the words about the first one. */
export const alsoKept = (others: readonly NamedInstance[]): string =>
  others.length === 0 ? '' : `; ${listed(others)} cannot leave it either`;

/** The same where states keep them, each with its reason unless that is the one of the first instance. */
export const alsoHeld = (first: InstanceInState, others: readonly InstanceInState[]): string =>
  [...Map.groupBy(others, ({ departure }) => departure.why?.because)]
    .map(([because, held]) => {
      const isSame = because === undefined || because === first.departure.why?.because;
      return `${alsoKept(held)}${isSame ? '' : `, since ${because}`}`;
    })
    .join('');

/** Follows the host that is down, or `it`. */
export const downWith = (instances: readonly NamedInstance[]): string =>
  `is down, so nobody can move ${listed(instances)}`;

export const helpForDown = 'bring it up again, or leave it out of the session';
