/**
 * Hosts with instances that their owners have put off (rules/owner-times): nothing begins on such a host for now, so
 * that it is in nobody's way, and other hosts go first. It is begun so that it is empty soon after its last instance is
 * released. One in hand is given back where that time is far off. Where the hours of its instances never meet, it is
 * drained in parts: begun when one of them may leave, given back, and begun again for the others.
 */
import type { Fleet, Host, Instance } from '../decisions/fleet/fleet';
import { isInPhase } from '../decisions/fleet/host-work';
import { FleetModel } from '../decisions/model/fleet-model';
import { stayingOn } from '../decisions/model/host-content';
import { longestInHandMs, meetingOf } from '../owner-times/meeting';
import { lastReleased, releasedAtMs } from '../owner-times/release';
import { ownerTimeReason } from '../reasons/of-owner-time';
import { holdBack, type HostsHeldBack } from './hold-back';
import { type Expectation, secondsToMove } from './host-times';
import { canBeGivenBack } from './work-in-maintenance-window';

export interface PutOffView extends Expectation {
  readonly model: FleetModel;
  /** The session's hosts. */
  readonly own: readonly Host[];
}

/** A host with the instance whose owner it waits for. */
interface WaitForOwner {
  readonly host: Host;
  /** The instance on it that is released last. */
  readonly last: Instance;
  /** The time for which the host waits; Infinity: it never comes. */
  readonly releasedMs: number;
  /** How long before that time others have to leave, or may leave. */
  readonly aheadMs: number;
  /** The instances on it. */
  readonly there: readonly Instance[];
}

export const lookAtPutOff = (view: PutOffView): HostsHeldBack => {
  const { nowMs } = view;
  const waits = view.own.flatMap((host) => waitOf(view, host));
  const early = waits.filter((wait) => isWaiting(wait.host) && beginsAtMs(wait) > nowMs);
  const inHand = waits.filter(({ host }) => host.work?.phase === 'emptying');
  const late = inHand.filter(({ host, releasedMs }) => canBeGivenBack(host) && releasedMs - nowMs > longestInHandMs);
  const nextMs = [
    ...early.map(beginsAtMs),
    ...inHand.flatMap(({ there }) => there.map((instance) => releasedAtMs(instance, nowMs))),
  ].filter((atMs) => atMs > nowMs);
  return {
    held: early.map(({ host, last, releasedMs }) => ownerTimeReason(host.name, last, releasedMs)),
    giveBack: late.map(({ host }) => host.name),
    lookAgainMs: Math.min(...nextMs) - nowMs,
  };
};

/** The fleet without hosts that wait for an hour which never comes: no capacity helps them. */
export const withoutNeverReleased = (fleet: Fleet, sessionId: string, nowMs: number): Fleet => {
  const model = new FleetModel(fleet, nowMs);
  if (!model.hasOwnerTimes) return fleet;
  const never = model
    .hostsOf(sessionId, 'waiting')
    .filter(({ name }) => model.instancesOn(name).some((instance) => releasedAtMs(instance, nowMs) === Infinity));
  return holdBack(
    fleet,
    never.map(({ name }) => name),
  );
};

const isWaiting = isInPhase('waiting');

/** Early enough for what may or must leave before, and never so early that the host would be given back. */
const beginsAtMs = ({ releasedMs, aheadMs }: WaitForOwner): number => releasedMs - Math.min(aheadMs, longestInHandMs);

const waitOf = (view: PutOffView, host: Host): WaitForOwner[] => {
  const { model, nowMs } = view;
  const there = stayingOn(model, host.name);
  const last = lastReleased(there, nowMs);
  if (last === undefined) return [];
  const wait = { host, last, there };
  if (releasedAtMs(last, nowMs) === Infinity) return [{ ...wait, releasedMs: Infinity, aheadMs: 0 }];
  const all = model.instancesOn(host.name);
  if (meetingOf(all, nowMs).atMs === Infinity) {
    const firstMs = Math.min(...there.map((instance) => releasedAtMs(instance, nowMs)));
    // A part that is leaving is waited for.
    return [{ ...wait, releasedMs: all.length > there.length ? nowMs : firstMs, aheadMs: 0 }];
  }
  const { atMs, isTogether } = meetingOf(there, nowMs);
  const before = there.filter((instance) => releasedAtMs(instance, nowMs) < atMs);
  const aheadMs = isTogether ? 1000 * secondsToMove(model, before, view) : longestInHandMs;
  return [{ ...wait, releasedMs: atMs, aheadMs }];
};
