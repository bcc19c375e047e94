/** The blockers that are about one host. */
import { failureNaming, notListed } from '../../words/failure-of-host';
import {
  aboutHost,
  aboutSession,
  atTime,
  type BlockerKinds,
  type BlockerWords,
  type Cause,
  helpForWindows,
  type MissingCapacity,
  orLeaveOut,
  type Severity,
} from '../blocker';
import { hostIsDown, type NamedInstance } from '../immovable';
import { helpForLeftBehind, type LeftBehind } from '../left-behind';

interface AboutHost {
  readonly hostname: string;
}

interface HostInTrouble extends AboutHost {
  readonly why: string;
}

interface HostToDrain extends AboutHost, Cause {
  /** The project of the first instance that is kept there. */
  readonly projectId: string | undefined;
  readonly missing?: MissingCapacity | undefined;
}

/** It fails for a reason that no single host gives. */
interface SessionThatFails {
  readonly hostname?: undefined;
  readonly sessionId: string;
  readonly failure: string;
}

interface HostInDoubt extends AboutHost, Cause {
  readonly projectId?: string | undefined;
}

/** A host that its session is done with, without its maintenance. */
interface HostLeftBehind extends HostInTrouble, LeftBehind {}

interface HostToBeLeftOut extends HostInTrouble {
  readonly atMs: number;
}

interface HostDown extends AboutHost {
  readonly instances: readonly NamedInstance[];
  /** The severity where it has instances. */
  readonly severity: Severity;
}

/** Tells what its session does once the cloud no longer lists the host. */
interface HostNotListed extends AboutHost {
  readonly becomes: 'failure' | 'setAside' | 'leftOut';
}

const severityNotListed = { failure: 'stops', setAside: 'delays', leftOut: 'note' } as const;
const endNotListed = {
  failure: 'fails',
  setAside: 'sets it aside, as max_failed_hosts allows',
  leftOut: 'is done with it',
} as const;
const helpNotListed = {
  failure: 'bring the host back; then continue the session if it has failed (PUT /v1/maintenance/{session_id})',
  setAside: 'bring the host back; then POST /v1/maintenance/{session_id}/hosts/{hostname}/retry if it was set aside',
  leftOut: 'nothing has to be done; if it comes back, POST /v1/maintenance/{session_id}/hosts/{hostname}/retry',
} as const;

interface HostThatFitsNowhere extends HostInTrouble {
  readonly severity: Severity;
}

const leftBehind = (host: HostLeftBehind): BlockerWords => ({
  ...aboutHost(host.hostname),
  // An admin, or the answer of a project, leaves out what is skipped: nobody has to repair that.
  severity: host.phase === 'skipped' ? 'note' : 'delays',
  when: 'now',
  owner: 'operator',
  because: failureNaming(host.hostname, host.why),
  help: helpForLeftBehind(host),
});

const seemsGone = ({ hostname, why }: HostInTrouble): BlockerWords => ({
  ...aboutHost(hostname),
  severity: 'note',
  when: 'now',
  owner: 'operator',
  because: `host ${hostname} seems to be gone, since ${why}; the session leaves it out`,
  help: 'delete what the cloud still lists of it (openstack compute service delete), or start its services',
});

const toBeLeftOut = ({ hostname, why, atMs }: HostToBeLeftOut, how: readonly [string, string]): BlockerWords => ({
  ...aboutHost(hostname),
  severity: 'delays',
  when: 'later',
  owner: 'admin',
  because: `host ${hostname} is ${how[0]} at about ${atTime(atMs)}${how[1]}: ${why}`,
  help: 'see to what the reason names; then POST /v1/maintenance/{session_id}/hosts/{hostname}/retry takes it up again',
});

const notDrained = ({ hostname, because, owner, projectId, help, missing }: HostToDrain): BlockerWords => ({
  ...aboutHost(hostname),
  severity: 'stops',
  when: 'later',
  owner,
  ...(owner === 'project' && { projectId }),
  because: `host ${hostname} cannot be drained: ${because}`,
  help: `${help}, ${orLeaveOut(hostname)}`,
  ...(missing && { missing }),
});

const fails = ({ sessionId, failure }: SessionThatFails): BlockerWords => ({
  ...aboutSession(sessionId),
  severity: 'stops',
  when: 'later',
  owner: 'operator',
  because: failure,
  help: 'see to what the reason names, or leave the host out of the session',
});

export const hostBlockers = {
  controller_left_out: ({ hostname, ...cause }: AboutHost & Cause) => ({
    ...aboutHost(hostname),
    severity: 'stops',
    when: 'later',
    ...cause,
  }),

  host_cannot_be_drained: (facts: HostToDrain | SessionThatFails) =>
    facts.hostname === undefined ? fails(facts) : notDrained(facts),

  host_disabled: ({ hostname, reason }: AboutHost & { readonly reason: string | undefined }) => ({
    ...aboutHost(hostname),
    severity: 'note',
    when: 'now',
    owner: 'operator',
    because: `host ${hostname} is disabled already${reason ? ` (${reason})` : ''}, so it takes no instances, and stays disabled after its maintenance`,
    help: 'enable it before the session begins where it shall take instances; else nothing has to be done',
  }),

  host_down: ({ hostname, instances, severity }: HostDown) => ({
    ...aboutHost(hostname),
    severity: instances.length > 0 ? severity : 'note',
    when: 'now',
    ...hostIsDown(`host ${hostname}`, instances),
  }),

  host_failed: leftBehind,

  host_in_doubt: ({ hostname, owner, projectId, because, help }: HostInDoubt) => ({
    ...aboutHost(hostname),
    severity: 'stops',
    when: 'now',
    owner,
    projectId,
    because,
    help: `${help}, ${orLeaveOut(hostname)}`,
    isNotPlayed: true,
  }),

  /** Left out by its session, or because it seems to be gone: a session over all hosts is created without it. */
  host_left_out: (host: HostLeftBehind | (HostInTrouble & { readonly phase?: undefined })) =>
    host.phase === undefined ? seemsGone(host) : leftBehind(host),

  host_not_listed: ({ hostname, becomes }: HostNotListed) => ({
    ...aboutHost(hostname),
    severity: severityNotListed[becomes],
    when: 'now',
    owner: 'operator',
    because: `host ${hostname}: ${notListed}, so the session ${endNotListed[becomes]}; the plan leaves the host out`,
    help: helpNotListed[becomes],
  }),

  /** An instance came to a host that failed: no work is done there that would move it. */
  host_occupied: ({ hostname, guests }: AboutHost & { readonly guests: readonly string[] }) => ({
    ...aboutHost(hostname),
    severity: 'note',
    when: 'now',
    owner: 'operator',
    because: `host ${hostname} failed and is out of use, and ${guests.join(', ')} came to it`,
    help: 'move what is on it away, or retry the host, which drains it',
  }),

  host_of_another_session: ({ hostname, sessionId }: AboutHost & { readonly sessionId: string }) => ({
    ...aboutHost(hostname),
    severity: 'stops',
    when: 'now',
    owner: 'admin',
    because: `host ${hostname} belongs to session ${sessionId}, which is not finished; the plan leaves it out`,
    help: 'wait for that session to end or delete it, or leave the host out',
  }),

  host_set_aside: (host: HostToBeLeftOut) => toBeLeftOut(host, ['set aside', ', as max_failed_hosts allows']),

  host_skipped: (host: HostToBeLeftOut) => toBeLeftOut(host, ['skipped', '']),

  window_too_short: ({ hostname, why, severity }: HostThatFitsNowhere) => ({
    ...aboutHost(hostname),
    severity,
    when: severity === 'stops' ? 'later' : 'now',
    owner: 'admin',
    because: `host ${hostname} fits into no maintenance window: ${why}`,
    help: `${helpForWindows.tooShort}, ${orLeaveOut(hostname)}`,
  }),

  /** The session may still end: its own hosts take instances from each other. */
  target_down: ({ hostname, count }: AboutHost & { readonly count: number }) => ({
    ...aboutHost(hostname),
    severity: 'delays',
    when: 'now',
    owner: 'operator',
    because:
      `host ${hostname} is down, and no other host outside of the session could take ${count} of the ` +
      `instance${count === 1 ? '' : 's'} that leave hosts of the session`,
    help: 'bring it up again before the session begins, or let another host take such instances',
  }),
} as const satisfies BlockerKinds;
