/**
 * What is on a host of the simulated cloud, from three sources as a real cloud has them: the list of instances, the
 * booked amounts, and the hypervisor. An instance may be hidden from some of them, as after a failure, and a resized
 * one leaves its way back on the host that it came from.
 */
import type { Database } from '../../prisma/database';
import type { CloudInstance, HostContent } from '../../rules/cloud/cloud-facts';
import { type HostDoubt, nothingKnown } from '../../rules/cloud/host-findings';
import { compareSources } from '../compare-sources';

/** The sources from which an instance may be hidden, by their names in the command line. */
export const contentSources = ['list', 'bookings', 'hypervisor'] as const;
export type SimulatedSource = (typeof contentSources)[number];

interface PlacedRow {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  readonly hiddenFrom: readonly string[];
  readonly wayBackOn: string | null;
}

/** @param list the list of instances */
export const contentOf = async (
  db: Database,
  host: string,
  list: () => Promise<readonly CloudInstance[]>,
): Promise<HostContent> => {
  if (await isSilent(db, host)) return { instances: [], doubts: [nothingKnown(host, silentReason(host))] };
  const listed = await list();
  const rows: readonly PlacedRow[] = await db.simInstance.findMany({
    where: { OR: [{ host, NOT: { hiddenFrom: { isEmpty: true } } }, { wayBackOn: host }] },
    orderBy: { instanceKey: 'asc' },
  });
  const waysBack = rows.filter(({ wayBackOn }) => wayBackOn === host);
  const source = (name: string, key: SimulatedSource) => ({
    name,
    placed: new Map([
      ...listed.map(({ instanceId, instanceName }) => [instanceId, instanceName] as const),
      ...rows
        .filter((row) => row.host === host && !row.hiddenFrom.includes(key))
        .map(({ instanceId, instanceName }) => [instanceId, instanceName] as const),
      ...waysBack.map(({ instanceId, instanceName }) => [instanceId, instanceName] as const),
    ]),
  });
  return compareSources({
    host,
    listed,
    others: [source('the book of amounts', 'bookings'), source('the hypervisor', 'hypervisor')],
    explained: new Map(waysBack.map((row) => [row.instanceId, wayBack(row)])),
  });
};

const wayBack = ({ instanceId, instanceName, projectId, host, wayBackOn }: PlacedRow): HostDoubt => ({
  instanceId,
  owner: 'project',
  projectId,
  because:
    `instance ${instanceName} (${instanceId}) was resized from host ${wayBackOn ?? ''} to host ${host}, ` +
    'and its way back is not given up yet',
  help: 'its project confirms or reverts the resize',
});

export const isSilent = async (db: Database, name: string): Promise<boolean> =>
  (await db.simHost.count({ where: { name, isSilent: true } })) > 0;

/** The reason in words that follow "since", of a host that was silenced. */
export const silentReason = (host: string): string => `the part of the cloud that knows host ${host} does not answer`;
