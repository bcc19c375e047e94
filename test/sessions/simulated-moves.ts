/**
 * Carries moves out as the service does, in virtual time: from leave to impact an instance to the end of its group's
 * recovery.
 */
import type { Admission } from '../../rules/decisions/decision';
import type { Action, Group } from '../../rules/decisions/fleet/fleet';
import { startOf } from '../../rules/decisions/limits/before-start';
import { grantedTo } from '../../rules/steps/claim-step';
import { pick, type Random } from '../builders/random';
import { type Manner, reactionOf } from './simulated-managers';
import type { ChangingClaim, SimulatedRows } from './simulated-rows';

export interface MoveSurroundings {
  readonly rows: SimulatedRows;
  readonly random: Random;
  readonly mannerOf: (projectId: string) => Manner;
  /** Share of the moves that fail for good. */
  readonly hopeless: number;
  readonly after: (ms: number, happen: () => void) => void;
  readonly failSession: (sessionId: string, failure: string) => void;
  readonly failHost: (hostname: string, failure: string) => void;
  /** The instance may need to be asked about where it is now. */
  readonly arrived: (hostname: string, instanceId: string) => void;
}

const longestMoveMs = 90_000;
const ownActionMs = 600_000;
/** A question to one of which no constraints are stored. */
const configuredWindowMs = 6_000;
const nackPauseMs = 5_000;
const nackRetries = 2;

export class SimulatedMoves {
  granted = 0;
  ended = 0;
  /** Did not act though it said so: nothing is asked of it again before it has moved. */
  readonly expired = new Set<string>();
  #replacements = 0;

  constructor(private readonly around: MoveSurroundings) {}

  admit(sessionId: string, admission: Admission): void {
    const { rows } = this.around;
    const { instanceId, groupKey, action, kind } = admission;
    const recoveryMs = 1000 * (rows.groups.get(groupKey)?.recoveryTimeSeconds ?? 0);
    const claim: ChangingClaim = { ...grantedTo(rows.instances.get(instanceId)!, sessionId, admission), recoveryMs };
    this.granted += 1;
    rows.claims.set(instanceId, claim);
    rows.reserved.delete(instanceId);
    if (kind === 'move') this.#move(claim, action);
    else this.#ask(claim, 0);
  }

  /** Its session is over: what was asked of the instance leads to nothing. */
  withdrawAll(sessionId: string): void {
    for (const claim of this.around.rows.inFlight()) {
      if (claim.sessionId === sessionId && claim.phase === 'asked') this.#withdraw(claim);
    }
  }

  #ask(claim: ChangingClaim, refusals: number): void {
    const { rows, random, after, mannerOf } = this.around;
    const instance = rows.instances.get(claim.instanceId);
    if (refusals === 0) rows.note('grant', { instance: claim.instanceId });
    // The window opens when the question has reached the bus.
    after(random() * 1_000, () => {
      if (!this.#isAsked(claim)) return;
      if (!instance) {
        this.#withdraw(claim);
        return;
      }
      const windowMs = instance.leadTimeSeconds === undefined ? configuredWindowMs : 1000 * instance.leadTimeSeconds;
      rows.note('notify', { instance: instance.id, lead: windowMs / 1000 });
      this.#awaitReaction({ claim, windowMs, refusals }, mannerOf(instance.projectId));
    });
  }

  #awaitReaction(
    { claim, windowMs, refusals }: { claim: ChangingClaim; windowMs: number; refusals: number },
    manner: Manner,
  ): void {
    const { rows, random, after } = this.around;
    const question = { isSettled: false };
    const settle = (happen: () => void) => () => {
      if (question.isSettled || !this.#isAsked(claim)) return;
      question.isSettled = true;
      happen();
    };
    const reaction = reactionOf(manner, { windowMs, refusals }, random);
    if (reaction?.answer) {
      const { answer, action = claim.action } = reaction;
      after(
        reaction.afterMs,
        settle(() => {
          rows.note('reply', { instance: claim.instanceId, answer });
          if (answer === 'ACK') this.#move(claim, action);
          else this.#refused(claim, refusals + 1);
        }),
      );
    }
    // Silence: the default behaviour.
    after(
      windowMs,
      settle(() => this.#move(claim, claim.action)),
    );
  }

  #refused(claim: ChangingClaim, refusals: number): void {
    const { after, failSession, rows } = this.around;
    if (refusals > nackRetries) {
      const project = rows.instances.get(claim.instanceId)?.projectId ?? '';
      failSession(claim.sessionId, `project ${project} refused for instance ${claim.instanceId}`);
    } else {
      after(nackPauseMs, () => {
        if (this.#isAsked(claim)) this.#ask(claim, refusals);
      });
    }
  }

  #isAsked(claim: ChangingClaim): boolean {
    return this.around.rows.claims.get(claim.instanceId) === claim && claim.phase === 'asked';
  }

  #withdraw(claim: ChangingClaim): void {
    this.around.rows.note('withdraw', { instance: claim.instanceId });
    this.#recover(claim);
  }

  #move(claim: ChangingClaim, action: Action): void {
    const { rows, random, after, hopeless } = this.around;
    if (!rows.instances.has(claim.instanceId)) {
      if (claim.phase === 'asked') this.#withdraw(claim);
      else this.#recover(claim);
      return;
    }
    claim.action = action;
    const start = startOf(rows.startOf(claim));
    if (start.kind === 'putOff') {
      this.#putOff(claim);
      return;
    }
    claim.phase = 'moving';
    const { groupKey } = rows.instances.get(claim.instanceId)!;
    claim.recoveryMs = 1000 * (rows.groups.get(groupKey)?.recoveryTimeSeconds ?? 0);
    this.#note('move_start', claim, false);
    const ms = Math.floor(random() * longestMoveMs);
    if (action === 'OWN_ACTION') this.#actItself(claim, ms);
    else if (random() < hopeless) after(ms, () => this.#fail(claim));
    else if (action === 'LIVE_MIGRATE' && random() < 0.2) after(ms, () => this.#force(claim));
    else after(ms, () => this.#arrive(claim));
  }

  /** The rules decide anew; who was asked may have gone out of service to get ready, and recovers. */
  #putOff(claim: ChangingClaim): void {
    if (claim.phase === 'asked') this.#withdraw(claim);
    else {
      this.ended += 1;
      this.around.rows.claims.delete(claim.instanceId);
    }
  }

  #actItself(claim: ChangingClaim, ms: number): void {
    const { rows, random, after, mannerOf } = this.around;
    const { projectId } = rows.instances.get(claim.instanceId)!;
    if (mannerOf(projectId) === 'lying') after(ownActionMs, () => this.#expire(claim));
    else if (random() < 0.5) after(ms, () => this.#arrive(claim));
    else after(ms / 2, () => this.#replace(claim, ms / 2));
  }

  /** A new instance comes first, then the old one goes. */
  #replace(claim: ChangingClaim, ms: number): void {
    const { rows, after, arrived } = this.around;
    const old = rows.instances.get(claim.instanceId);
    if (old) {
      this.#replacements += 1;
      rows.appear({ ...old, id: `${old.id}-${this.#replacements}`, host: claim.target }, old.id);
      arrived(claim.target, old.id);
    }
    after(ms, () => {
      rows.vanish(claim.instanceId);
      this.#recover(claim);
    });
  }

  #force(claim: ChangingClaim): void {
    const { random, after } = this.around;
    if (!this.#stay(claim)) return;
    this.#note('move_start', { ...claim, action: 'MIGRATE' }, true);
    after(Math.floor(random() * longestMoveMs), () => this.#arrive(claim));
  }

  #expire(claim: ChangingClaim): void {
    if (!this.#stay(claim)) return;
    this.expired.add(claim.instanceId);
    this.#recover(claim);
  }

  #fail(claim: ChangingClaim): void {
    if (!this.#stay(claim)) return;
    this.#recover(claim);
    this.around.failHost(claim.source, `instance ${claim.instanceId} could not be moved`);
  }

  /** False where the instance is gone. */
  #stay(claim: ChangingClaim): boolean {
    if (this.#endWhereGone(claim)) return false;
    this.around.rows.note('move_end', { instance: claim.instanceId, stayed: true });
    return true;
  }

  #arrive(claim: ChangingClaim): void {
    const { rows, arrived } = this.around;
    if (this.#endWhereGone(claim)) return;
    rows.instances.get(claim.instanceId)!.host = claim.target;
    rows.note('move_end', { instance: claim.instanceId });
    this.expired.delete(claim.instanceId);
    this.#recover(claim);
    arrived(claim.target, claim.instanceId);
  }

  #endWhereGone(claim: ChangingClaim): boolean {
    const isGone = !this.around.rows.instances.has(claim.instanceId);
    if (isGone) this.#recover(claim);
    return isGone;
  }

  #recover(claim: ChangingClaim): void {
    const { rows, after } = this.around;
    this.ended += 1;
    claim.phase = 'recovering';
    claim.recoversAtMs = rows.nowMs + claim.recoveryMs;
    after(claim.recoveryMs, () => undefined);
  }

  #note(event: string, { instanceId, source, target, action }: Admission | ChangingClaim, forced: boolean): void {
    this.around.rows.note(event, { instance: instanceId, from: source, to: target, action, forced });
  }
}

/** The possible changes of a group: its limits move, and it stays apart or not. */
export const otherLimits = ({ maxInstancesPerHost, ...group }: Group, random: Random): Group => ({
  ...group,
  maxImpactedMembers: pick([1, 2, 3], random),
  recoveryTimeSeconds: pick([0, 30, 120], random),
  ...(maxInstancesPerHost !== undefined && { maxInstancesPerHost: pick([1, 2, 3], random) }),
});
