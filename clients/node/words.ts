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
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly event: PlannedEvent;
}

/**
 * Agrees, refuses, or agrees with an action for each instance; those left out move by default. undefined: no answer is
 * sent.
 */
export type Answer = 'ACK' | 'NACK' | { readonly actions: Readonly<Record<string, Action>> } | undefined;

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
