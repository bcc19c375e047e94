/**
 * Decides which instances of a host may move now: each is ready, within its group's budget, and all other instances of
 * the host have a place, so that the last one still fits. Each admission counts for those after it.
 */
import { isOpen } from '../limits/budget';
import type { Admission } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Action, Host, Instance, Waiting } from '../fleet/fleet';
import { groupOfKey, isInFlight, limitedBy } from '../fleet/fleet-index';
import { instancesToMoveAway } from '../fleet/host-content';
import { type Lack, type Placement, largestFirst, place } from '../limits/placement';
import { groupSubject, lackReason, onlyOwnAction } from '../limits/reasons';
import type { Situation } from './situation';

export interface HostAdmission {
  readonly host: Host;
  readonly admit: readonly Admission[];
  readonly waiting: readonly Waiting[];
  /** Set when some instances of the host have no place at present; nothing is admitted then. */
  readonly lack?: Lack;
}

/** Admits from every host in turn; each admission counts for those after it. */
export function admitFrom(situation: Situation, hosts: readonly Host[]): readonly HostAdmission[] {
  return hosts.map((host) => admitFromHost(situation, host));
}

function admitFromHost(situation: Situation, host: Host): HostAdmission {
  const rest = instancesToMoveAway(situation.index, host.name).toSorted(largestFirst);
  const placement = placeTentatively(situation, rest);
  // An arriving instance needs a place already, but it moves on only when it has arrived.
  const present = rest.filter((instance) => !isInFlightHere(situation, instance));
  if (placement.kind === 'lacking') return nothingFrom(situation, host, { present, lack: placement.lack });
  const verdicts = present.map((instance) => admitOne(situation, instance, placement.targetOf.get(instance.id)));
  return {
    host,
    admit: verdicts.flatMap((verdict) => ('target' in verdict ? [verdict] : [])),
    waiting: verdicts.flatMap((verdict) => ('who' in verdict ? [verdict] : [])),
  };
}

function placeTentatively({ index, targets, now }: Situation, instances: readonly Instance[]): Placement {
  const mark = now.mark();
  const placement = place({ index, instances, targets, occupancy: now });
  now.rollBack(mark);
  return placement;
}

function nothingFrom(
  situation: Situation,
  host: Host,
  { present, lack }: { readonly present: readonly Instance[]; readonly lack: Lack },
): HostAdmission {
  const waiting = present.map(
    (instance) => whyNotNow(situation, instance) ?? lackReason(lack, instance.id, situation.nowMs),
  );
  return { host, admit: [], waiting, lack };
}

function admitOne(situation: Situation, instance: Instance, target: Host | undefined): Admission | Waiting {
  const reason = whyNotNow(situation, instance);
  if (reason) return reason;
  const action = situation.view.ready.get(instance.id);
  if (!action) return waitsForAnswer(instance);
  return admitted(situation, instance, { action, target: target?.name ?? noTarget });
}

function admitted(
  { budget, now }: Situation,
  instance: Instance,
  { action, target }: { readonly action: Action; readonly target: string },
): Admission {
  budget.impact(instance);
  now.hold(target, instance);
  return { kind: 'move', instanceId: instance.id, ...limitedBy(instance), source: instance.host, target, action };
}

/** The reason for which the instance itself waits, apart from its place; undefined when it may move. */
function whyNotNow(situation: Situation, instance: Instance): Waiting | undefined {
  const recovery = ownRecovery(situation, instance);
  if (recovery) return recovery;
  if (!situation.view.ready.has(instance.id)) return waitsForAnswer(instance);
  return groupReason(situation, instance);
}

export function waitsForAnswer({ id, projectId, cannotMove }: Instance): Waiting {
  const because = cannotMove === undefined ? {} : { because: onlyOwnAction(cannotMove) };
  return { waitingFor: 'answer', who: id, subject: projectId, ...because };
}

/** An instance has one open claim at most: it moves again when it has recovered from its last move. */
export function ownRecovery({ index, nowMs }: Situation, { id, groupKey }: Instance): Waiting | undefined {
  const claim = index.claimByInstance.get(id);
  if (!claim || !isOpen(claim, nowMs)) return undefined;
  const { recoversAtMs } = claim;
  return {
    waitingFor: 'recovery',
    who: id,
    ...groupSubject(groupOfKey(index, groupKey)),
    ...(recoversAtMs !== undefined && { remainingMs: recoversAtMs - nowMs }),
  };
}

/** The budget for which the instance waits, of its group or another of its limits; undefined when none is exhausted. */
export function groupReason({ budget }: Situation, instance: Instance): Waiting | undefined {
  const group = budget.spentLimit(instance);
  if (!group) return undefined;
  const { id } = instance;
  const remainingMs = budget.untilRecovery(group.key);
  if (remainingMs === undefined) return { waitingFor: 'group', who: id, ...groupSubject(group) };
  return { waitingFor: 'recovery', who: id, ...groupSubject(group), remainingMs };
}

function isInFlightHere({ index }: Situation, { id }: Instance): boolean {
  const claim = index.claimByInstance.get(id);
  return claim !== undefined && isInFlight(claim);
}
