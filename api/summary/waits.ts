/** The waiting reasons of a session: hosts and instances that wait for the same thing make one entry. */
import { ownerOfWait } from '../../rules/reasons/in-words';
import type { WaitBody } from '../schemas/summary-schemas';
import type { WaitingBody } from '../schemas/waiting-schema';

const namesShown = 5;
const waitsShown = 50;

export interface WhoMayWait {
  readonly sessionId: string;
  readonly hostnames: ReadonlySet<string>;
  /** Says whose waiting instances count: those on hosts under work. For others their host says it. */
  readonly isUnderWork: (id: string) => boolean;
}

export const waitsOf = (
  reasons: readonly WaitingBody[],
  { sessionId, hostnames, isUnderWork }: WhoMayWait,
): WaitBody[] => {
  const shown = reasons.filter(({ who }) => hostnames.has(who) || isUnderWork(who) || who === sessionId);
  const groups = Map.groupBy(shown, (reason) => keyOfWait(reason, hostnames));
  const waits = [...groups.values()].map((group) => waitOf(group, { sessionId, hostnames }));
  return waits.sort(byUrgency).slice(0, waitsShown);
};

/** The turn of every host, the places for them, and capacity for any of them, are one thing that is waited for. */
const keyOfWait = ({ waiting_for, subject, subject_id }: WaitingBody, hostnames: ReadonlySet<string>): string => {
  if (waiting_for === 'host' && hostnames.has(subject)) return 'turn';
  if (waiting_for === 'place') return 'place';
  return `${waiting_for} ${waiting_for === 'room' ? (subject_id ?? '') : (subject_id ?? subject)}`;
};

/** Each waits for another thing, or for itself. */
const areTurns = (group: readonly WaitingBody[], key: string): boolean =>
  (key === 'turn' || key === 'place') &&
  (group.some(({ who, subject }) => who === subject) || new Set(group.map(({ subject }) => subject)).size > 1);

const waitOf = (group: readonly WaitingBody[], { sessionId, hostnames }: Omit<WhoMayWait, 'isUnderWork'>): WaitBody => {
  const [first] = group;
  if (first === undefined) throw new RangeError('a wait has somebody who waits');
  const hosts = group.filter(({ who }) => hostnames.has(who));
  const instances = group.filter(({ who }) => !hostnames.has(who) && who !== sessionId);
  const seconds = group.flatMap(({ remaining_seconds }) => remaining_seconds ?? []);
  const since = group.flatMap((one) => one.since ?? []).sort();
  const isTurn = areTurns(group, keyOfWait(first, hostnames));
  return {
    waiting_for: first.waiting_for,
    subject: isTurn ? 'turn' : first.subject,
    subject_id: first.subject_id,
    subject_name: isTurn ? null : first.subject_name,
    owner: ownerOfWait(first),
    because: first.because ?? null,
    help: first.help ?? null,
    host_count: hosts.length,
    instance_count: instances.length,
    names: [...hosts, ...instances].slice(0, namesShown).map(({ who, who_name }) => who_name ?? who),
    since: since[0] ?? null,
    seconds_left: seconds.length === 0 ? null : Math.max(...seconds),
    ...(first.limit && { limit: first.limit }),
  };
};

/** People first, and among them the one with the least time left. */
const byUrgency = (one: WaitBody, other: WaitBody): number =>
  rankOf(one) - rankOf(other) || (one.seconds_left ?? Infinity) - (other.seconds_left ?? Infinity) || 0;

const rankOf = ({ owner }: WaitBody): number => Number(owner === 'service');
