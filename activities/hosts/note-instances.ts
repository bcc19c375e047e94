/**
 * Keeps the session's instance records true: which instances were seen on its hosts, and where they went. Tells of
 * those that came to a host on which nothing should be.
 */
import type { Transaction } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import {
  recordSeenInstances,
  type SeenInstance,
  type SessionScope,
  unseenChanges,
} from '../../prisma/hosts/session-instances';
import { findingsOf, type Guest } from '../../rules/cloud/host-findings';
import type { CloudSnapshot } from '../../snapshot/look-at-cloud';
import { logFact, namesOfHost } from '../log-facts';
import type { Reconciling } from '../moves/reconcile';
import { inSession } from '../session/run-in-force';
import type { FindingsServices } from './look-at-host';
import { noteFindings } from './look-at-host';

type SeenInCloud = Pick<CloudSnapshot, 'hosts' | 'instances' | 'takenAt'>;

export const noteInstances = async (
  services: FindingsServices,
  tx: Transaction,
  { sessionId, listed }: { readonly sessionId: string; readonly listed: SeenInCloud },
): Promise<void> => {
  const hosts = await findSessionHosts(tx, sessionId);
  const scope = scopeOf(sessionId, hosts, listed);
  const { arrived } = await unseenChanges(tx, scope, listed.instances);
  await tellOfArrivals(services, tx, { hosts, arrived, takenAt: listed.takenAt });
  await recordSeenInstances(tx, scope, listed.instances);
};

const scopeOf = (sessionId: string, hosts: readonly SessionHostRecord[], listed: SeenInCloud): SessionScope => ({
  sessionId,
  takenAt: listed.takenAt,
  hostnames: new Set(hosts.map(({ hostname }) => hostname)),
  unknownHosts: new Set(
    listed.hosts.flatMap(({ name, contentUnknown }) => (contentUnknown === undefined ? [] : [name])),
  ),
});

/** Does the same in its own transaction, and only when a record differs, so that nobody has to wait for it. */
export const followInstances = async (
  services: Reconciling,
  { sessionId, hosts }: { readonly sessionId: string; readonly hosts: readonly SessionHostRecord[] },
  listed: SeenInCloud,
): Promise<void> => {
  const scope = scopeOf(sessionId, hosts, listed);
  const { added, changed } = await unseenChanges(services.db, scope, listed.instances);
  if (added.length + changed.length === 0) return;
  await inSession(services, { sessionId }, (tx) => noteInstances(services, tx, { sessionId, listed }));
};

interface Arrivals extends Pick<SeenInCloud, 'takenAt'> {
  readonly hosts: readonly SessionHostRecord[];
  readonly arrived: readonly SeenInstance[];
}

/**
 * Tells of instances that came to hosts to which none should come. On a host that is being drained, such an instance is
 * asked about and moved like any other.
 */
const tellOfArrivals = async (
  services: FindingsServices,
  tx: Transaction,
  { hosts, arrived, takenAt }: Arrivals,
): Promise<void> => {
  const cameTo = Map.groupBy(arrived, ({ host }) => host);
  for (const host of hosts) {
    const came = cameTo.get(host.hostname) ?? [];
    if (came.length === 0 || !wasDisabledThen(host, takenAt)) continue;
    if (isOutOfUse(host)) await noteArrived(services, tx, { host, came });
    else if (host.phase === 'emptying') {
      for (const { instanceId, instanceName, projectId } of came) {
        const guest = { instanceId, instanceName, projectId };
        logFact(services, tx, {
          what: 'instance came to a host that is being drained',
          ...namesOfHost(host),
          ...guest,
        });
      }
    }
  }
};

/** True when the host was disabled already as the cloud was read. Before that, instances could come to it. */
const wasDisabledThen = ({ disabled, disabledAt, phaseSince }: SessionHostRecord, takenAt: Date): boolean =>
  disabled && disabledAt !== null && disabledAt < takenAt && phaseSince < takenAt;

const isOutOfUse = ({ phase, enablingAt }: SessionHostRecord): boolean =>
  (phase === 'maintaining' && enablingAt === null) || phase === 'failed' || phase === 'set_aside';

/** A host in maintenance stops at its next plug-in (isStillEmpty). */
const noteArrived = async (
  services: FindingsServices,
  tx: Transaction,
  { host, came }: { readonly host: SessionHostRecord; readonly came: readonly SeenInstance[] },
): Promise<void> => {
  const { doubts = [], guests = [], lookedAtMs = 0 } = host.findings ?? {};
  const isKnown = new Set(guests.map(({ instanceId }) => instanceId));
  const added = came
    .filter(({ instanceId }) => !isKnown.has(instanceId))
    .map(({ instanceId, instanceName, projectId }): Guest => ({ instanceId, instanceName, projectId }));
  await noteFindings(services, tx, {
    host,
    findings: findingsOf({ doubts, guests: [...guests, ...added], lookedAtMs }),
  });
};
