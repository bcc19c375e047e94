/** The hosts of the cloud to pick from: which of them match, and what a click picks. */
import { wantedHosts } from '../../rules/selectors/select-hosts';
import { parseSelector } from '../../rules/selectors/selector';
import { isGlob, matchesGlob } from '../../rules/words/globs';
import { shortId } from '../../rules/words/times';
import type { Choices } from '../client/types';

export type HostChoice = Choices['hosts'][number];

export const isFree = ({ session_id: sessionId, seems_gone: gone }: HostChoice): boolean =>
  sessionId === null && gone === null;

/** Hosts in which each word is found: in the name, the zone or the type. A word with * or ? is for the whole name. */
export const hostsMatching = (hosts: readonly HostChoice[], text: string): readonly HostChoice[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? hosts : hosts.filter((host) => words.every((word) => isFound(word, host)));
};

const isFound = (word: string, { hostname, zone, type, disabled }: HostChoice): boolean => {
  const name = hostname.toLowerCase();
  if (isGlob(word)) return matchesGlob(word, name);
  return name.includes(word) || zone?.toLowerCase() === word || type === word || (disabled && word === 'disabled');
};

/** The names of the hosts that a selector selects; undefined: it is none. @param except those that are left out */
export const selectedBy = (
  text: string,
  except: readonly string[],
  hosts: readonly HostChoice[],
): readonly string[] | undefined => {
  const parsed = parseSelector(text.trim());
  if (parsed.kind === 'fault') return undefined;
  const there = hosts.filter(({ seems_gone: gone }) => gone === null);
  const labelled = there.map(({ hostname, labels }) => ({ name: hostname, labels }));
  return wantedHosts(labelled, { named: [], selector: parsed.selector, except });
};

export interface Picking {
  /** The hosts as they are shown. */
  readonly shown: readonly HostChoice[];
  readonly picked: ReadonlySet<string>;
  /** The host that was clicked before; undefined: none. */
  readonly last: string | undefined;
}

/** The hosts that are picked after a click. With shift, all from the last one on become as the one that is clicked. */
export const pickedAfter = (hostname: string, hasShift: boolean, picking: Picking): ReadonlySet<string> => {
  const isPicked = !picking.picked.has(hostname);
  const after = new Set(picking.picked);
  for (const host of clickedHosts(hostname, hasShift, picking)) {
    if (!isPicked) after.delete(host.hostname);
    else if (isFree(host)) after.add(host.hostname);
  }
  return after;
};

const clickedHosts = (hostname: string, hasShift: boolean, { shown, last }: Picking): readonly HostChoice[] => {
  const placeOf = (name: string | undefined): number => shown.findIndex((host) => host.hostname === name);
  const to = placeOf(hostname);
  const from = hasShift ? placeOf(last) : -1;
  return from < 0 ? shown.slice(to, to + 1) : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
};

/** Says in few words what keeps a host from being picked, or what is to know about it. */
export const remarkOn = ({ session_id: sessionId, seems_gone: gone, disabled, ...host }: HostChoice): string => {
  if (sessionId !== null) return `in session ${shortId(sessionId)}`;
  if (gone !== null) return 'seems to be gone';
  if (!disabled) return '';
  return host.disabled_because === null ? 'disabled' : `disabled: ${host.disabled_because}`;
};
