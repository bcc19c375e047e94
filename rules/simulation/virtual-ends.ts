/**
 * Instances that end by themselves, in virtual time: each is waited for as long as its session would at most, from the
 * start of the drain of its host, and then moved like any other. None is expected to end before. One that is kept is
 * expected to end when its time is over.
 */
import { endsThere, released, whyHeld } from '../cloud/departure';
import { waitingForEnd } from '../decisions/both-workflows/wait-for-ends';
import { noTarget } from '../decisions/fleet/double-allocation';
import type { Host, Instance } from '../decisions/fleet/fleet';
import type { Times } from './times';
import type { VirtualWorld } from './virtual-world';

export interface EndsSetting {
  readonly world: VirtualWorld;
  readonly times: Pick<Times, 'waitsForEnds'>;
}

/** Nobody moves such an instance of the host, which is being drained, before its time is over. */
export const waitForEndsOn = ({ world, times }: EndsSetting, { name, work }: Host): void => {
  if (work === undefined) return;
  const { nowMs } = world;
  for (const instance of world.model.instancesOn(name)) {
    const waiting = waitingForEnd(instance, work, { sessionId: work.sessionId, nowMs });
    const { passesAtMs } = whyHeld(waiting) ?? {};
    if (waiting === instance || passesAtMs === undefined) continue;
    world.setInstance(waiting);
    world.after(times.waitsForEnds === false ? 0 : passesAtMs - nowMs, () => endWait(world, waiting));
  }
};

/** Its host may have been given back and drained again, so that it waits anew. */
const endWait = (world: VirtualWorld, waiting: Instance): void => {
  const instance = world.model.instanceById.get(waiting.id);
  if (instance === undefined || whyHeld(instance) !== whyHeld(waiting)) return;
  world.setInstance({ ...released(instance), ...(endsThere(instance) && { host: noTarget }) });
};
