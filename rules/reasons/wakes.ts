/**
 * Whom to wake when something becomes free: the budget of a group, room on a host, or a whole host. A session's row
 * keeps the keys of what it waits for (`wakes_on`), and the session that frees something looks for them.
 */
import type { Reason, WaitKind } from './reason';

/** The end of an action (its group's budget), capacity that was freed, or a whole host. */
export type Freed =
  { readonly kind: 'budget' } | { readonly kind: 'room' } | { readonly kind: 'host'; readonly hostname: string };

const keysOfKind: Partial<Record<WaitKind, readonly string[]>> = {
  group: ['budget', 'room'],
  recovery: ['budget', 'room'],
  room: ['room'],
  affinity: ['room'],
  target: ['room'],
};

const ofHost = (name: string): string => `host ${name}`;

/** The turn of a host comes with work of its own session alone. */
const keysOf = ({ waitingFor, who, subject }: Reason): readonly string[] =>
  waitingFor === 'host' && subject !== who ? [ofHost(subject)] : (keysOfKind[waitingFor] ?? []);

/** Each of these keys wakes a session that waits for the reasons. Their order is fixed. */
export const wakesOn = (reasons: readonly Reason[]): readonly string[] => [...new Set(reasons.flatMap(keysOf))].sort();

/** Any of these keys wakes. A host that is back gives room, too. */
export const wakesWhen = (freed: Freed): readonly string[] =>
  freed.kind === 'host' ? ['room', ofHost(freed.hostname)] : [freed.kind];
