/** Create requests made from a session: for what is left of it, and for another session like it. */
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { isDone } from '../../rules/decisions/fleet/host-work';
import type { Canary } from '../../rules/steering/canary';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { serializeSteering } from '../showing/serialize-steering';

export interface RestOfSession {
  readonly session: SessionProgress;
  /** All of the session's. */
  readonly hosts: readonly Pick<SessionHostRecord, 'hostname' | 'phase'>[];
  /** The URLs of its packages. */
  readonly download: readonly string[];
  readonly now: Date;
}

/** Undefined where no host is left: a request without hosts would be one for every host of the cloud. */
export const requestOfRest = ({ session, hosts, download, now }: RestOfSession): CreateSessionBody | undefined => {
  const left = hosts.filter((host) => !isDone(host)).map(({ hostname }) => hostname);
  if (left.length === 0) return undefined;
  const changed = { ...session, ...limitsOfRest(session, hosts), ...fitting(session, { left, now }) };
  return requestFor(changed, { hostnames: left, download });
};

/**
 * The create request for another session like this one, with all of its hosts. Its times that have passed are left out,
 * and so is the reason to ignore freezes: it was given for this session, and not for each that follows.
 */
export const requestOfSame = ({ session, hosts, download, now }: RestOfSession): CreateSessionBody => {
  const again = { ...session, ...timesAhead(session, now), ignoreFreezes: null };
  return requestFor(again, { hostnames: hosts.map(({ hostname }) => hostname), download });
};

interface NamedHosts {
  readonly hostnames: string[];
  readonly download: readonly string[];
}

const requestFor = (session: SessionProgress, { hostnames, download }: NamedHosts): CreateSessionBody => {
  const { workflow, initialState: state, maintenanceAt, metadata, actions } = session;
  return {
    hosts: hostnames,
    workflow,
    state,
    maintenance_at: maintenanceAt.toISOString(),
    metadata: { ...metadata },
    actions: actions.map((action) => ({ ...action, metadata: { ...action.metadata } })),
    ...(download.length > 0 && { download: [...download] }),
    ...given(serializeSteering(session)),
  };
};

/** The hosts that have failed count against the number that may. */
const limitsOfRest = (
  { maxFailedHosts, failedHosts }: SessionProgress,
  hosts: RestOfSession['hosts'],
): Pick<SessionProgress, 'maxFailedHosts' | 'failedHosts'> => {
  const setAside = hosts.filter(({ phase }) => phase === 'set_aside').length;
  const mayFail = Math.max(0, (maxFailedHosts ?? 0) - setAside);
  return mayFail > 0 ? { maxFailedHosts: mayFail, failedHosts } : { maxFailedHosts: null, failedHosts: null };
};

/** A canary that is done, and times that have passed, are left out. */
const fitting = (
  session: SessionProgress,
  { left, now }: { readonly left: readonly string[]; readonly now: Date },
): Pick<SessionProgress, 'canary'> & SessionTimes => ({
  canary: session.canary === null || session.canaryEndedAt !== null ? null : canaryOf(session.canary, left),
  ...timesAhead(session, now),
});

type SessionTimes = Pick<SessionProgress, 'deadline' | 'postpone' | 'ownerHours'>;

/** Null in place of each that has passed. */
const timesAhead = ({ deadline, postpone, ownerHours }: SessionTimes, now: Date): SessionTimes => {
  const isAhead = (time: string): boolean => Date.parse(time) > now.getTime();
  return {
    deadline: deadline !== null && deadline > now ? deadline : null,
    postpone: postpone !== null && 'until' in postpone && !isAhead(postpone.until) ? null : postpone,
    ownerHours: ownerHours?.mode === 'until' && !isAhead(ownerHours.until) ? null : ownerHours,
  };
};

const canaryOf = (canary: Canary, left: readonly string[]): Canary | null => {
  const { hosts } = canary;
  const wanted = typeof hosts === 'number' ? Math.min(hosts, left.length) : hosts.filter((name) => left.includes(name));
  return typeof wanted === 'number' || wanted.length > 0 ? { ...canary, hosts: wanted } : null;
};

type Given<T> = { [Name in keyof T]?: NonNullable<T[Name]> };

/** The create request leaves out what the detail shows as null. */
const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Given<T>;
