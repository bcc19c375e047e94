/**
 * What is on a host, from sources of Nova and placement that do not depend on each other: the list of servers with
 * their host, the servers that the hypervisor's record names, the amounts that placement books, and moves that are not
 * over. Where placement may not be read, the others must agree, and the records of migrations are read whole.
 */
import { fewAtOnce } from '../../../calls/few-at-once';
import type { CloudHost, CloudInstance, HostContent } from '../../../rules/cloud/cloud-facts';
import { type HostDoubt, nothingKnown } from '../../../rules/cloud/host-findings';
import { compareSources, type ContentSource } from '../../compare-sources';
import { OddAnswer } from '../../http/parse-answer';
import { isBareMetal } from '../classes/fleet-look';
import type { Capacities, HostSize } from '../hosts/capacity';
import type { ServiceClient } from '../http/service-client';
import type { HypervisorServer } from '../nova/answers';
import type { NovaApi } from '../nova/nova-api';
import { HiddenField, HostUnread } from '../nova/servers';
import { findAllBookings } from './bookings';
import { explainBooking } from './explain-booking';
import { findUnfinishedMoves, findWaysBack } from './unfinished-moves';

export interface ContentSources {
  readonly nova: NovaApi;
  readonly capacities: Capacities;
  /** Undefined: the service cannot ask it. */
  readonly placement: () => Promise<ServiceClient | undefined>;
  /** The host as it was lately; undefined: Nova does not know it. */
  readonly findHost: (name: string) => Promise<CloudHost | undefined>;
  readonly listInstances: (host: string) => Promise<readonly CloudInstance[]>;
}

export const createWhatIsOn =
  (sources: ContentSources) =>
  async (name: string): Promise<HostContent> => {
    const host = await sources.findHost(name);
    if (host === undefined) return onlyDoubt(nothingKnown(name, 'Nova lists no service on it'));
    if (host.contentUnknown !== undefined) return onlyDoubt(nothingKnown(name, host.contentUnknown));
    // Nothing can be on a host without nova-compute.
    if (!host.isCompute) return { instances: [], doubts: [] };
    const size = (await sources.capacities.sizes([name])).get(name);
    if (size === undefined) return onlyDoubt(nothingKnown(name, 'Nova has no hypervisor for it'));
    const hypervisorIds = await hypervisorsOf(sources.nova, name, size);
    return orNothingKnown(name, compare(sources, { name, hypervisorIds }));
  };

/** An answer that makes no sense holds this host alone. */
const orNothingKnown = async (name: string, compared: Promise<HostContent>): Promise<HostContent> => {
  try {
    return await compared;
  } catch (error) {
    if (error instanceof HostUnread) return onlyDoubt(nothingKnown(name, error.because));
    if (error instanceof HiddenField) return onlyDoubt(nothingKnown(name, error.message));
    if (error instanceof OddAnswer) return onlyDoubt(nothingKnown(name, `an answer makes no sense: ${error.message}`));
    throw error;
  }
};

/** Bare-metal nodes go from one nova-compute to another, so their list must not be some minutes old. */
const hypervisorsOf = async (nova: NovaApi, name: string, size: HostSize): Promise<readonly string[]> => {
  if (!isBareMetal(size)) return size.hypervisorIds;
  return (await nova.listHypervisors()).filter(({ service }) => service.host === name).map(({ id }) => id);
};

const onlyDoubt = (doubt: HostDoubt): HostContent => ({ instances: [], doubts: [doubt] });

interface KnownHost {
  readonly name: string;
  readonly hypervisorIds: readonly string[];
}

const compare = async (sources: ContentSources, { name, hypervisorIds }: KnownHost): Promise<HostContent> => {
  const { nova } = sources;
  const booking = sources.placement().then((client) => findAllBookings(client, hypervisorIds));
  const [listed, onHypervisor, bookings, unfinished] = await Promise.all([
    sources.listInstances(name),
    serversOfAll(nova, hypervisorIds),
    booking,
    booking.then(({ kind }) => (kind === 'hidden' ? findUnfinishedMoves(nova, name) : findWaysBack(nova, name))),
  ]);
  if (onHypervisor === undefined) return onlyDoubt(nothingKnown(name, 'Nova has lost its hypervisor'));
  if (bookings.kind === 'missing') return onlyDoubt(nothingKnown(name, 'placement does not know its hypervisor'));
  const booked = bookings.kind === 'known' ? bookings.consumerIds : [];
  const explained = await explain(nova, { name, booked, listed });
  const placed = (ids: readonly string[]) => new Map(ids.map((id) => [id, undefined]));
  const others: ContentSource[] = [
    {
      name: "the hypervisor's record",
      placed: new Map(onHypervisor.map(({ uuid, name: of }) => [uuid, of ?? undefined])),
    },
    ...(bookings.kind === 'known' ? [{ name: 'placement', placed: placed([...explained.keys()]) }] : []),
    { name: "Nova's list of migrations", placed: placed(unfinished.map(({ instanceId }) => instanceId ?? '')) },
  ];
  const known = new Map([...explained, ...unfinished.map((doubt) => [doubt.instanceId ?? '', doubt] as const)]);
  return compareSources({ host: name, listed, others, explained: known });
};

/** Undefined: Nova has lost one of them. */
const serversOfAll = async (
  nova: NovaApi,
  hypervisorIds: readonly string[],
): Promise<readonly HypervisorServer[] | undefined> => {
  const found = await fewAtOnce(hypervisorIds, (id) => nova.listServersOfHypervisor(id));
  const known = found.filter((servers) => servers !== undefined);
  return known.length < found.length ? undefined : known.flat();
};

interface BookedOnHost {
  readonly name: string;
  readonly booked: readonly string[];
  readonly listed: readonly CloudInstance[];
}

/**
 * Explains bookings, by their consumer, of servers that are not listed on the host. A listed server that moves away is
 * booked twice.
 */
const explain = async (
  nova: NovaApi,
  { name: host, booked, listed }: BookedOnHost,
): Promise<ReadonlyMap<string, HostDoubt>> => {
  const isListed = new Set(listed.map(({ instanceId }) => instanceId));
  let read: ReturnType<NovaApi['listMigrationsOf']> | undefined;
  const migrations = () => (read ??= nova.listMigrationsOf(host));
  const explained = new Map<string, HostDoubt>();
  for (const consumerId of booked.filter((id) => !isListed.has(id))) {
    const doubt = await explainBooking(nova, { host, consumerId, migrations });
    if (!isListed.has(doubt.instanceId ?? '')) explained.set(consumerId, doubt);
  }
  return explained;
};
