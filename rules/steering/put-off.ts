/**
 * Hosts with instances that their owners have put off (rules/owner-times): nothing begins on such a host for now, so
 * that it is in nobody's way, and other hosts go first. It is begun so that it is empty soon after its last instance is
 * released. One in hand is given back where that time is far off.
 */
import type { Host, Instance } from '../decisions/fleet/fleet';
import { isInPhase } from '../decisions/fleet/host-work';
import type { FleetModel } from '../decisions/model/fleet-model';
import { stayingOn } from '../decisions/model/host-content';
import { lastReleased, releasedAtMs } from '../owner-times/release';
import { ownerTimeReason } from '../reasons/of-owner-time';
import type { HostsHeldBack } from './hold-back';
import { type Expectation, secondsToMove } from './host-times';
import { canBeGivenBack } from './work-in-maintenance-window';

/** A disabled host that waits longer for an owner gives its capacity back. */
const longestInHandMs = 900_000;

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
  readonly releasedMs: number;
  /** The instances on it. */
  readonly there: readonly Instance[];
}

export const lookAtPutOff = (view: PutOffView): HostsHeldBack => {
  const waits = view.own.flatMap((host) => waitOf(view, host));
  const waiting = waits.filter(({ host }) => isWaiting(host));
  const inHand = waits.filter(({ host }) => host.work?.phase === 'emptying');
  const early = waiting.filter((wait) => beginsAtMs(view, wait) > view.nowMs);
  const late = inHand.filter(
    ({ host, releasedMs }) => canBeGivenBack(host) && releasedMs - view.nowMs > longestInHandMs,
  );
  const nextMs = [
    ...early.map((wait) => beginsAtMs(view, wait)),
    ...inHand.flatMap(({ there }) => there.map((instance) => releasedAtMs(instance, view.nowMs))),
  ].filter((atMs) => atMs > view.nowMs);
  return {
    held: early.map(({ host, last, releasedMs }) => ownerTimeReason(host.name, last, releasedMs)),
    giveBack: late.map(({ host }) => host.name),
    lookAgainMs: Math.min(...nextMs) - view.nowMs,
  };
};

const isWaiting = isInPhase('waiting');

const waitOf = ({ model, nowMs }: PutOffView, host: Host): WaitForOwner[] => {
  const there = stayingOn(model, host.name);
  const last = lastReleased(there, nowMs);
  return last === undefined ? [] : [{ host, last, there, releasedMs: releasedAtMs(last, nowMs) }];
};

/** Early enough for what may leave before, and never so early that the host would be given back. */
const beginsAtMs = (view: PutOffView, { there, releasedMs }: WaitForOwner): number => {
  const before = there.filter((instance) => releasedAtMs(instance, view.nowMs) < releasedMs);
  const aheadMs = 1000 * secondsToMove(view.model, before, view);
  return releasedMs - Math.min(aheadMs, longestInHandMs);
};
