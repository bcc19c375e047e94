/** Asks the cloud, where it knows more than it lists, which hosts have no room for what is to leave others. */
import type { Database } from '../prisma/database';
import { findOwnedHosts } from '../prisma/hosts/session-hosts';
import { findOpenClaims } from '../prisma/moves/claims';
import type { CloudLists } from '../rules/cloud/cloud-facts';
import type { Refusal } from '../rules/decisions/fleet/fleet';
import { isDone } from '../rules/decisions/fleet/host-work';
import { expectedTargets, type ListedFleet } from '../rules/decisions/model/expected-targets';

interface ListedNow extends Omit<ListedFleet, 'moving'> {
  readonly takenAt: Date;
  /** Names of hosts beside those of sessions. */
  readonly toDrain: readonly string[];
}

export const findNotOffered = async (
  { cloud, db }: { readonly cloud: CloudLists; readonly db: Database },
  { takenAt, toDrain, ...listed }: ListedNow,
): Promise<readonly Refusal[]> => {
  if (cloud.notOffered === undefined) return [];
  const [hosts, claims] = await Promise.all([findOwnedHosts(db), findOpenClaims(db, takenAt)]);
  const owned = hosts.filter((host) => !isDone(host)).map(({ hostname }) => hostname);
  const moving = claims.filter(({ phase }) => phase === 'moving');
  const expected = expectedTargets({ ...listed, moving }, new Set([...owned, ...toDrain]));
  const found = await cloud.notOffered(expected.filter(({ hosts }) => hosts.length > 0));
  return found.map(({ passesInSeconds, ...refusal }) => ({
    ...refusal,
    ...(passesInSeconds !== undefined && { passesAtMs: takenAt.getTime() + passesInSeconds * 1000 }),
  }));
};
