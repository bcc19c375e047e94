/**
 * The `kubernetes` cloud: hosts are nodes, projects are namespaces, instances are pods, known by their UIDs. Its words
 * stay in this folder: client/ speaks to the API server, objects/ says what is read, cache/ keeps it up to date, and
 * the others interpret it. PostgreSQL keeps each pod that is to leave with its claim (moves/move-log.ts), so any number
 * of processes can share one cluster.
 */
import { createRecent } from '../../calls/recent';
import type { Database } from '../../prisma/database';
import { findIgnoredMarks } from '../../prisma/hosts/session-hosts';
import type { Eviction, EvictionDefaults } from '../../rules/cloud/eviction';
import { dashedUuid, isUuid, keyOf } from '../../rules/cloud/id';
import type { ProjectTerms } from '../../rules/cloud/terms';
import { type CloudDriver, type DriverLists, latelyMs } from '../cloud-driver';
import { kubernetesActions } from './actions';
import { createCluster } from './cache/cluster';
import { createPodReader, type PodReader } from './cache/read-pods';
import { whyNot } from './classes/why-not';
import type { KubernetesClient } from './client/kubernetes-client';
import { createOthersAtWork, type OthersAtWork } from './content/others-at-work';
import { createWhatIsOn } from './content/what-is-on';
import { cordon, uncordon } from './hosts/cordon';
import { createEventTeller, type EventTeller } from './hosts/events';
import { listHosts } from './hosts/list-hosts';
import { showStandings } from './hosts/show-standings';
import { groupsFrom } from './instances/list-groups';
import { instancesFrom } from './instances/list-instances';
import { whyBehind } from './limits/behind-the-watch';
import { createBudgetIndex } from './limits/budget-index';
import { createStandingTeller, type StandingTeller } from './limits/pods-away';
import { termsOfNamespace } from './limits/terms-annotation';
import { findMovedPods } from './moves/move-log';
import { abortMove, forceMove, observeMove, type PodMover, startMove } from './moves/moves';
import { nodes } from './objects/nodes';
import type { Namespace } from './objects/others';
import { type Pod, uidOf } from './objects/pods';
import { findMissingRights } from './rights/missing-rights';
import { createSurger, type Surger } from './surge/surge';

export interface KubernetesOptions {
  readonly db: Database;
  readonly client: KubernetesClient;
  /** These options count where a session says nothing. */
  readonly eviction: EvictionDefaults;
  /** The time for which pods that are to come to their end are waited for where a session does not say it. */
  readonly completeSeconds: number;
  /** The time after which a pod that is not Ready is named. */
  readonly readySeconds: number;
  /** The time for which volumes without a pod are waited for. */
  readonly detachSeconds: number;
  /** True when nodes of running sessions that are still to be maintained get a taint. */
  readonly taintsUnmaintained: boolean;
  /** Further keys of taints by which others say that they are at work on a node. */
  readonly atWorkTaints: readonly string[];
  /** The namespace of the service's own Jobs, whose pods are no instances; undefined: there are none. */
  readonly jobNamespace: string | undefined;
}

/** The driver, which follows the cluster until it is closed. */
export type KubernetesCloud = CloudDriver & { close(): Promise<void> };

export const createKubernetesCloud = (options: KubernetesOptions): KubernetesCloud => {
  const sources = sourcesOf(options);
  const { client, taintsUnmaintained: taints } = options;
  const { closing, rightsFor, lacks, cluster, events, surger } = sources;
  const mover = moverOf(options, sources);
  return {
    name: 'kubernetes',
    actions: kubernetesActions,
    // A look at one pod is cheap, and most pods are gone within seconds.
    pollPace: { leastMs: 250, mostMs: 2_000, shareOfElapsed: 1 / 10 },
    choosesTarget: () => Promise.resolve(false), // the scheduler does
    keepsLimits: true, // the API server refuses evictions beyond a budget
    hostsLeave: true, // an autoscaler deletes nodes
    ...listsOf(options, sources),
    whyNot,

    disableHost: (host, reason) => cordon(client, host, reason),
    enableHost: (host) => uncordon(client, host),
    showStandings: (standings, only) =>
      showStandings({ client, nodes: cluster.nodes, events, lacks, taints }, standings, only),
    ...(taints && { standingsSteer: true }),

    startMove: (move) => startMove(mover, move),
    observeMove: (move) => observeMove(mover, move),
    forceMove: (move) => forceMove(mover, move),
    abortMove: (move) => abortMove(mover, move),
    // Also sets back what a killed process has raised.
    watchLeftOvers: () => surger.settle().then(() => []),

    projectNames: (projectIds) => Promise.resolve(wordsOf(cluster, projectIds, ({ name }) => name)),
    projectContacts: (projectIds) => Promise.resolve(contactsIn(cluster, projectIds)),
    projectTerms: () => termsOfNamespaces(cluster),
    missingRights: async (eviction) => [...(await rightsFor(eviction ?? null)), ...(await surger.missingRights())],
    async ping() {
      await client.call({ method: 'GET', path: `${nodes.pathIn()}?limit=1` });
    },
    async close() {
      closing.abort();
      await client.close();
    },
  };
};

/** Words that adorn an answer, which waits for no watch: the first of them come a moment later. */
const wordsOf = (
  { namespaces }: ClusterSources['cluster'],
  projectIds: readonly string[],
  wordOf: (metadata: Namespace['metadata']) => string | undefined,
): ReadonlyMap<string, string> => {
  void namespaces.ready().catch(() => undefined);
  const told = projectIds.flatMap((id) => {
    const namespace = namespaces.byUid(uidFrom(id));
    const word = namespace && wordOf(namespace.metadata);
    return word === undefined ? [] : [[id, word] as const];
  });
  return new Map(told);
};

const contactsIn = (cluster: ClusterSources['cluster'], projectIds: readonly string[]) =>
  wordsOf(cluster, projectIds, ({ annotations }) => termsOfNamespace(annotations, new Date(cluster.nowMs()))?.contact);

const termsOfNamespaces = async (cluster: ClusterSources['cluster']): Promise<ReadonlyMap<string, ProjectTerms>> => {
  await cluster.namespaces.ready();
  const now = new Date(cluster.nowMs());
  const told = [...cluster.namespaces.all()].flatMap(({ metadata: { uid, annotations } }) => {
    const terms = termsOfNamespace(annotations, now);
    return uid === undefined || terms === undefined ? [] : [[uid, terms] as const];
  });
  return new Map(told);
};

/** The form in which Kubernetes writes UIDs. */
const uidFrom = (text: string): string => (isUuid(text) ? dashedUuid(keyOf(text)) : text);

interface ClusterSources {
  readonly closing: AbortController;
  readonly cluster: ReturnType<typeof createCluster>;
  readonly reader: PodReader;
  readonly standings: StandingTeller;
  /** The rights that are missing for a session that says this; they may be some minutes old. */
  readonly rightsFor: (eviction: Eviction | null) => ReturnType<typeof findMissingRights>;
  readonly lacks: (rule: string) => Promise<boolean>;
  readonly events: EventTeller;
  readonly othersAtWork: OthersAtWork;
  readonly surger: Surger;
}

const sourcesOf = (options: KubernetesOptions): ClusterSources => {
  const { db, client, eviction: defaults, readySeconds, jobNamespace } = options;
  const closing = new AbortController();
  const cluster = createCluster({ client, signal: closing.signal, jobNamespace });
  const recentRights = (mayForce: boolean) =>
    createRecent({ read: () => findMissingRights(client, { mayForce }), keepMs: 5 * 60_000 });
  const rights = { keep: recentRights(false), delete: recentRights(true) };
  const rightsFor = (eviction: Eviction | null) => rights[eviction?.forced ?? defaults.forced].get();
  const lacks = async (name: string) => (await rightsFor(null)).some(({ rule }) => rule === name);
  return {
    closing,
    cluster,
    reader: createPodReader(client, cluster),
    standings: createStandingTeller(readySeconds),
    rightsFor,
    lacks,
    events: createEventTeller({ client, lacks }),
    othersAtWork: createOthersAtWork({
      ...{ client, cluster, furtherTaints: options.atWorkTaints },
      ignoredOn: (hostname) => findIgnoredMarks(db, hostname),
    }),
    surger: createSurger({ db, client, cluster }),
  };
};

const moverOf = (
  { db, client, eviction: defaults }: KubernetesOptions,
  { cluster, reader, events, othersAtWork, surger }: ClusterSources,
): PodMover => ({
  ...{ db, client, defaults, events },
  findPod: reader.find,
  makeRoom: surger.beforeEviction,
  async whyHeld(uid) {
    // As the watches tell it: a look of its own at the node would double the requests of an eviction.
    const node = cluster.nodes.byName(cluster.pods.byUid(uid)?.spec.nodeName ?? '');
    return node === undefined ? undefined : (await othersAtWork(node))[0];
  },
  whyBehind(uid) {
    const pod = cluster.pods.byUid(uid);
    return pod && whyBehind(createBudgetIndex(cluster), pod);
  },
});

const listsOf = (
  { db, client, eviction, completeSeconds, detachSeconds }: KubernetesOptions,
  sources: ClusterSources,
): DriverLists => {
  const { cluster, reader, standings, surger } = sources;
  const about = { cluster, eviction, completeSeconds, surgeFor: surger.decide };
  const instances = (pods: Iterable<Pod>) => instancesFrom(about, pods);
  const groups = () => cluster.ready().then(() => groupsFrom({ cluster, standings }));
  const recentGroups = createRecent({ read: groups, keepMs: latelyMs });
  return {
    ...hostsOf(client, cluster),
    async listInstances(host) {
      await surger.ready();
      return instances(host === undefined ? cluster.pods.all() : await reader.listOn(host));
    },
    async listInstancesLately(host) {
      await surger.ready();
      return instances([...cluster.pods.all()].filter(({ spec }) => spec.nodeName === host));
    },
    whatIsOn: createWhatIsOn({ ...sources, client, detachSeconds, listPods: reader.listOn, instancesFrom: instances }),
    async findInstance(instanceId) {
      const [pod] = await Promise.all([reader.find(uidFrom(instanceId)), cluster.ready()]);
      return pod === undefined ? undefined : instances([pod])[0];
    },
    async listMoving() {
      const [moved] = await Promise.all([findMovedPods(db), cluster.ready()]);
      return instances([...cluster.pods.all()].filter((pod) => isEnding(pod) || moved.has(keyOf(uidOf(pod)))));
    },
    listGroups: groups,
    listGroupsLately: () => recentGroups.get(),
  };
};

type HostLists = Pick<DriverLists, 'listHosts' | 'listHostsLately' | 'findHost'>;

const hostsOf = (client: KubernetesClient, cluster: ClusterSources['cluster']): HostLists => ({
  async listHosts() {
    const [{ items }] = await Promise.all([client.list(nodes), cluster.ready()]);
    items.forEach(cluster.nodes.put);
    return listHosts(cluster, items);
  },
  async listHostsLately() {
    await cluster.ready();
    return listHosts(cluster);
  },
  async findHost(name) {
    const [node] = await Promise.all([client.get(nodes, { name }), cluster.ready()]);
    if (node === undefined) return undefined;
    cluster.nodes.put(node);
    return listHosts(cluster, [node])[0];
  },
});

const isEnding = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
