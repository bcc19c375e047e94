/**
 * A question to a project, as planning sees it, and the answer that may come. Facts only; see negotiation.ts and
 * decide-reply.ts.
 */
import type { Action } from '../fleet/fleet';

export interface Question {
  readonly id: string;
  readonly projectId: string;
  /** Set for an instance-specific question. */
  readonly instanceId?: string;
  /** Of an instance-specific question: the claim that it belongs to. */
  readonly claimId?: string;
  /** Set where it is about emptying one host. */
  readonly hostname?: string;
  readonly state: string;
  readonly instanceIds: readonly string[];
  readonly allowedActions: readonly Action[];
  /** Of instances that the cloud moves nowhere, by their IDs: why; left out: of none. */
  readonly cannotMove?: Readonly<Record<string, string>>;
  /**
   * open; answered; closed: its time passed without an answer, its host was given back, or its session left the state;
   * unneeded: the instances that it is about have gone, so nobody waits for the answer.
   */
  readonly status: 'open' | 'answered' | 'closed' | 'unneeded';
  readonly createdAtMs: number;
  /** Stamped just before its event is sent; undefined until then. */
  readonly replyAtMs?: number;
  readonly actionsAtMs?: number;
  /** When its event reached the bus: the window is open. */
  readonly askedAtMs?: number;
  readonly answer?: 'ACK' | 'NACK';
  readonly instanceActions: Readonly<Record<string, Action>>;
  readonly answeredAtMs?: number;
  /** Of an answered question: since when the session, or the work on the host, has gone on from the answer. */
  readonly closedAtMs?: number;
}
