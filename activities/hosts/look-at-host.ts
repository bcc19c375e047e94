/**
 * Asks the cloud what is on a host, writes down what should not be there, and tells it. A host on which anything is, or
 * may be, is not worked on.
 */
import { isDeepStrictEqual } from 'node:util';
import type { CloudDriver } from '../../clouds/cloud-driver';
import { databaseNow, type Transaction } from '../../prisma/database';
import { changeHost, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { isAnythingOnItsWayTo } from '../../prisma/moves/claims';
import { findSessionProgress } from '../../prisma/session/session-progress';
import type { CloudInstance, HostContent } from '../../rules/cloud/cloud-facts';
import { findingsOf, type Guest, type HostFindings, newDoubts, newGuests } from '../../rules/cloud/host-findings';
import { unlistedAmong, unlistedDoubt } from '../../rules/cloud/unlisted';
import { stepOfHost } from '../../rules/steps/host-step';
import { logFact, namesOfHost } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from '../session/tell-session';

/** When the cloud does not answer, that is a doubt about this host, and no fault of others. */
export const lookAtHost = async (cloud: CloudDriver, hostname: string): Promise<HostContent> => {
  try {
    return await withUnlisted(cloud, hostname, await cloud.whatIsOn(hostname));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const because = `nobody knows what is on host ${hostname}, since the cloud did not say: ${said}`;
    return { instances: [], doubts: [{ owner: 'operator', because, help: 'it is asked again by itself' }] };
  }
};

/**
 * An instance that the list of all instances lacks cannot be drained, since decisions rest on that list: it holds the
 * host until the cloud's lists agree.
 */
const withUnlisted = async (cloud: CloudDriver, hostname: string, content: HostContent): Promise<HostContent> => {
  if (content.instances.length === 0) return content;
  const unlisted = unlistedAmong(content.instances, await cloud.listInstances());
  const isUnlisted = new Set(unlisted);
  return {
    instances: content.instances.filter((instance) => !isUnlisted.has(instance)),
    doubts: [...content.doubts, ...unlisted.map((instance) => unlistedDoubt(hostname, instance))],
  };
};

export const asGuest = ({ instanceId, instanceName, projectId }: CloudInstance): Guest => ({
  instanceId,
  instanceName,
  projectId,
});

export type FindingsServices = Pick<Services, 'drafts' | 'logger'>;

export interface FoundOnHost {
  readonly host: SessionHostRecord;
  readonly findings: HostFindings | null;
}

/** The log tells what is new, and an event tells which instances came. */
export const noteFindings = async (services: FindingsServices, tx: Transaction, found: FoundOnHost): Promise<void> => {
  const { host, findings } = found;
  const isSame = isDeepStrictEqual(withoutTime(findings), withoutTime(host.findings));
  if (findings === null && isSame) return;
  await changeHost(tx, host, { findings });
  if (isSame) return;
  if (findings === null) {
    logFact(services, tx, { what: 'nothing is in doubt about the host any more', ...namesOfHost(host) });
    return;
  }
  for (const { because, help, instanceId } of newDoubts(host.findings, findings)) {
    const told = { reason: because, help, ...(instanceId !== undefined && { instanceId }) };
    logFact(services, tx, { what: 'host waits: something may be on it', level: 'warn', ...namesOfHost(host), ...told });
  }
  await tellOfGuests(services, tx, { host, guests: newGuests(host.findings, findings) });
};

const withoutTime = (findings: HostFindings | null): Omit<HostFindings, 'lookedAtMs'> | null =>
  findings === null ? null : { doubts: findings.doubts, guests: findings.guests };

const tellOfGuests = async (
  services: FindingsServices,
  tx: Transaction,
  { host, guests }: { readonly host: SessionHostRecord; readonly guests: readonly Guest[] },
): Promise<void> => {
  if (guests.length === 0) return;
  for (const guest of guests) {
    const told = { ...namesOfHost(host), ...guest, phase: host.phase };
    logFact(services, tx, { what: 'instance came to a host that is out of use', level: 'warn', ...told });
  }
  const session = await findSessionProgress(tx, host.sessionId);
  if (session === null) return;
  const came = { host: host.hostname, instanceIds: guests.map(({ instanceId }) => instanceId) };
  await tellSession(services, tx, { sessionId: host.sessionId, state: session.state, came });
};

export interface LookedAtHost {
  readonly host: SessionHostRecord;
  readonly content: HostContent;
}

/**
 * Decides whether work on an empty host may go on. An instance that came is drained like any other: the host is to be
 * emptied again. While something is in doubt the host waits.
 */
export const isStillEmpty = async (
  services: FindingsServices,
  tx: Transaction,
  { host, content: { instances, doubts } }: LookedAtHost,
): Promise<boolean> => {
  const isOut = host.announcedAt !== null;
  const guests = isOut ? instances.map(asGuest) : [];
  const lookedAtMs = (await databaseNow(tx)).getTime();
  await noteFindings(services, tx, { host, findings: findingsOf({ doubts, guests, lookedAtMs }) });
  if (instances.length > 0 || (await isAnythingOnItsWayTo(tx, host.hostname))) {
    await changeHost(tx, host, stepOfHost(host, { kind: 'notEmpty' }));
    logFact(services, tx, { what: 'host not empty after all: to be drained', ...namesOfHost(host) });
    return false;
  }
  return doubts.length === 0;
};
