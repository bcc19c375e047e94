/**
 * Hosts that go last, one at a time: the cloud would refuse to let an instance of theirs go, and nobody can say until
 * when. Its owner may let it go once its host is disabled and all others have left, so the host is drained, and the
 * instance is asked for until the limit of its move. Then the host is given back, and the session goes on without it.
 */
import { type MayBeRefused, whyRefused } from '../../cloud/departure';
import { tooManyAway } from '../../obstacles/no-place';
import type { Host, Instance } from '../fleet/fleet';
import type { FleetModel } from '../model/fleet-model';
import { mayBeTooMany } from '../model/without-place';

export interface AskedLast extends MayBeRefused {
  readonly instance: Instance;
}

/** The instances for which the host goes last. */
export const askedLastOn = (model: FleetModel, { name }: Host): readonly AskedLast[] => {
  const there = model.instancesOn(name);
  const refused = there.flatMap((instance) => {
    const why = whyRefused(instance);
    return why === undefined ? [] : [{ instance, because: why.because, help: why.help }];
  });
  const tooMany = mayBeTooMany(model, there);
  if (tooMany === undefined || refused.some(({ instance }) => instance === tooMany.instance)) return refused;
  return [...refused, { instance: tooMany.instance, ...tooManyAway(tooMany.limit) }];
};

export const goesLast = (model: FleetModel, { name }: Host): boolean => {
  const there = model.instancesOn(name);
  return there.some((instance) => whyRefused(instance) !== undefined) || mayBeTooMany(model, there) !== undefined;
};

/** Compares for a sort: those that go last behind the others. */
export const lastOnes =
  (model: FleetModel) =>
  (one: Host, other: Host): number =>
    Number(goesLast(model, one)) - Number(goesLast(model, other));
