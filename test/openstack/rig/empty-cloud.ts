/**
 * The rig's cloud as it was when it started: no servers, no groups, no zones, nothing booked, compute-1 to compute-6
 * enabled and alike.
 */
import {
  deleteAggregates,
  deleteAllServers,
  deleteFlavors,
  deleteServerGroup,
  enableOnly,
  listComputes,
  listServerGroups,
  unbookAll,
  until,
} from './operator';
import { resetPolicy, setOffers, startCell, startCompute } from './switches';

export const usualComputes = [1, 2, 3, 4, 5, 6].map((number) => `compute-${number}`);

export const emptyCloud = async (): Promise<void> => {
  await startCell();
  await resetPolicy();
  for (const host of usualComputes) await startCompute(host);
  await until('all computes are up', async () => {
    const usual = (await listComputes()).filter(({ host }) => usualComputes.includes(host));
    return usual.every(({ state }) => state === 'up') ? true : undefined;
  });
  await deleteAllServers();
  await unbookAll();
  for (const { id } of await listServerGroups()) await deleteServerGroup(id);
  await deleteAggregates();
  await deleteFlavors();
  await enableOnly(usualComputes);
  await setOffers({});
};
