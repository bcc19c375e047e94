/** The words between a manager and the service: its questions, the answers, and constraints. */

/** Questions that a project is asked. A later version may ask others. */
export type QuestionState =
  'MAINTENANCE' | 'PREPARE_MAINTENANCE' | 'PLANNED_MAINTENANCE' | 'SCALE_IN' | 'MAINTENANCE_COMPLETE';

export type Action = 'LIVE_MIGRATE' | 'MIGRATE' | 'EVICTION' | 'OWN_ACTION';

/** The payload of an event for a project, with the names of the interface. */
export interface PlannedEvent {
  readonly state: string;
  readonly session_id: string;
  readonly project_id: string;
  /** A link to a list, a list with one ID, an ID, or an empty text. */
  readonly instance_ids: string | readonly string[];
  readonly allowed_actions: readonly Action[];
  /** Empty where nothing is asked. */
  readonly reply_url: string;
  readonly reply_at: string;
  readonly actions_at: string;
  /** Left out where the session lets nobody put work off. */
  readonly not_before_latest?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

export interface Question {
  readonly state: string;
  readonly sessionId: string;
  /** The instances that the question is about. SCALE_IN: at most the one whose end helps most. */
  readonly instanceIds: readonly string[];
  /** The actions that an answer may choose from. */
  readonly allowedActions: readonly Action[];
  /** The time until which a reply counts. */
  readonly replyAt: Date;
  /** The time at which the service acts at the latest. */
  readonly actionsAt: Date;
  /** The latest time until which an answer may put the work off; left out: the work cannot be put off. */
  readonly notBeforeLatest?: Date;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly event: PlannedEvent;
}

/** Agrees. Instances that are left out of `actions` move by default. */
export interface Agreement {
  readonly actions?: Readonly<Record<string, Action>>;
  /** None of the instances is impacted before this time. */
  readonly notBefore?: Date;
  /** The same for single instances, by their IDs; each counts before `notBefore`. */
  readonly instanceNotBefore?: Readonly<Record<string, Date>>;
}

/** Agrees, refuses, or agrees with actions and times. undefined: no answer is sent. */
export type Answer = 'ACK' | 'NACK' | Agreement | undefined;

/** Handlers answer questions, each those of one state. A question without a handler gets no answer. */
export type Handlers = {
  readonly [State in QuestionState]?: (question: Question) => Answer | Promise<Answer>;
} & {
  /** Is told everything that is no question, and questions without a handler. */
  readonly told?: (event: PlannedEvent) => void | Promise<void>;
};

/** Constraints as the API has them, without `project_id`. */
export interface Constraints {
  readonly groups?: readonly object[];
  readonly instances?: readonly object[];
}
