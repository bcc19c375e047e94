/**
 * Faults of a cloud that the simulated one plays on request, each until it is taken back: a host that is down or of
 * which nothing is known, an instance that some sources do not know, a resize that its project has yet to confirm.
 */
import type { Database, Transaction } from '../../prisma/database';
import { changeCloud } from './change-cloud';
import { moveTo, requireInstance } from './edit-fleet';
import { FleetError } from './fleet-error';
import type { SimulatedSource } from './host-content';
import { simulatedStates } from './states';

const changeSimHost = async (
  tx: Transaction,
  name: string,
  data: {
    readonly isDown?: boolean;
    readonly isSilent?: boolean;
    readonly lacking?: string[];
    readonly keepsAway?: string[];
  },
): Promise<void> => {
  const changed = await tx.simHost.updateMany({ where: { name }, data });
  if (changed.count === 0) throw new FleetError(`there is no host "${name}" (fleet show)`);
};

/** The service of the host does not answer: nothing can move to it or from it. */
export const setDown = (db: Database, name: string, isDown: boolean): Promise<void> =>
  changeCloud(db, (tx) => changeSimHost(tx, name, { isDown }));

/** The host is up, and does not offer these of its further resources for now; none: it offers all. */
export const setLacking = (db: Database, name: string, lacking: readonly string[]): Promise<void> =>
  changeCloud(db, (tx) => changeSimHost(tx, name, { lacking: [...lacking] }));

/** The host is up, and the cloud keeps instances away from it by these marks for now; none: it takes instances. */
export const setKeepsAway = (db: Database, name: string, keepsAway: readonly string[]): Promise<void> =>
  changeCloud(db, (tx) => changeSimHost(tx, name, { keepsAway: [...keepsAway] }));

/** The cloud cannot tell what is on the host, and leaves its instances out of all lists. */
export const setSilent = (db: Database, name: string, isSilent: boolean): Promise<void> =>
  changeCloud(db, (tx) => changeSimHost(tx, name, { isSilent }));

/** These sources do not know the instance any more; none: all know it. */
export const hideInstance = (db: Database, idOrName: string, sources: readonly SimulatedSource[]): Promise<void> =>
  changeCloud(db, async (tx) => {
    const { instanceKey } = await requireInstance(tx, idOrName);
    await tx.simInstance.update({ where: { instanceKey }, data: { hiddenFrom: [...sources] } });
  });

/** Its project resizes the instance onto another host, and may still go back until it confirms. */
export const resizeInstance = (db: Database, idOrName: string, host: string): Promise<void> =>
  changeCloud(db, async (tx, now) => {
    const instance = await requireInstance(tx, idOrName);
    await moveTo(tx, instance, { host, now });
    const data = { wayBackOn: instance.host, state: 'VERIFY_RESIZE' };
    await tx.simInstance.update({ where: { instanceKey: instance.instanceKey }, data });
  });

/** Somebody suspends the instance or breaks it; ACTIVE: it can be moved again. */
export const setState = (db: Database, idOrName: string, state: string): Promise<void> =>
  changeCloud(db, async (tx) => {
    if (!simulatedStates.includes(state)) {
      throw new FleetError(`there is no state "${state}": one of ${simulatedStates.join(', ')} is needed`);
    }
    const { instanceKey } = await requireInstance(tx, idOrName);
    await tx.simInstance.update({ where: { instanceKey }, data: { state } });
  });

/** Its project gives the way back up. */
export const confirmResize = (db: Database, idOrName: string): Promise<void> =>
  changeCloud(db, async (tx) => {
    const { instanceKey } = await requireInstance(tx, idOrName);
    await tx.simInstance.update({ where: { instanceKey }, data: { wayBackOn: null, state: 'ACTIVE' } });
  });
