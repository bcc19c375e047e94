/** A project's reply, and its possible outcomes. */
import { type IdKey, keyOf } from '../cloud/id';
import type { Action } from '../decisions/fleet/fleet';
import type { ReplyTimes } from '../owner-times/reply-times';

export interface Reply {
  /** The state in the reply, without ACK_ or NACK_. */
  readonly state: string;
  readonly answer: 'ACK' | 'NACK';
  readonly instanceActions: Readonly<Record<string, string>>;
  /** Chosen for the one instance that the reply is about (choices.ts). */
  readonly instanceAction?: string | undefined;
  /** Set for a reply to an instance-specific question. */
  readonly instanceId?: string | undefined;
  /** From when on its project lets the instances be impacted; left out: the reply has no times. */
  readonly times?: ReplyTimes | undefined;
}

/** Only instances in the question, and only actions that it offers. */
export type ChosenActions = Readonly<Record<string, Action>>;

export interface Answer {
  readonly kind: 'answer';
  readonly questionId: string;
  readonly instanceActions: ChosenActions;
}

/** Another answer than the one before. It counts unless an action that it changes has begun (changed-answer.ts). */
export interface ChangedAnswer {
  readonly kind: 'change';
  readonly questionId: string;
  readonly instanceActions: ChosenActions;
  /** The instances for which it differs. */
  readonly changes: readonly string[];
  /** Those of them for which its time alone differs; left out: none. */
  readonly retimed?: readonly string[];
}

export interface ReplyRefusal {
  readonly kind: 'refuse';
  /** Stable, for programs. */
  readonly code:
    'NEVER_ASKED' | 'TOO_LATE' | 'ACTION_NOT_OFFERED' | 'CHOICE_MISPLACED' | 'ALREADY_BEGUN' | 'NOT_BEFORE_REFUSED';
  readonly because: string;
  /** JSON pointer into the reply's body. */
  readonly pointer: string;
  readonly hint: string;
}

/** Further facts for a reply, beside the questions. */
export interface ReplyCircumstances {
  readonly nowMs: number;
  /** Names of instances, for the words of a refusal. Unknown names are left out. */
  readonly names?: Names;
}

type Names = ReadonlyMap<IdKey, string>;

/** Names an instance, for example "vm-3 (6f1c…)". */
export const namedInstance = (instanceId: string, names: Names | undefined): string => {
  const name = names?.get(keyOf(instanceId));
  return name === undefined ? instanceId : `${name} (${instanceId})`;
};

export type ReplyDecision = Answer | ChangedAnswer | { readonly kind: 'repeat' } | ReplyRefusal;

/** The place of the action for an instance in the reply's body. */
export const actionPointer = ({ instanceAction }: Reply, named: string): string =>
  instanceAction === undefined ? `/instance_actions/${named}` : '/instance_action';
