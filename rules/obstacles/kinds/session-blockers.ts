/** The blockers that are about a session as a whole, or about the cloud. */
import {
  aboutCloud,
  aboutProject,
  aboutSession,
  atTime,
  type BlockerKinds,
  helpForFreeze,
  helpForWindows,
  type MissingCapacity,
  type Severity,
} from '../blocker';
import { helpForRight, type MissingRightWords, rightIsMissing } from '../missing-right';

interface AboutSession {
  readonly sessionId: string;
}

interface StandingSession extends AboutSession {
  /** Says that the plan goes on from here, as if nothing stood there. */
  readonly isPlanned: boolean;
}

interface StandingFailure extends StandingSession {
  readonly failure: string | null;
  /** The names of its hosts that have failed: it works there again. Left out: none. */
  readonly toRepair?: readonly string[];
}

interface EndingSession extends AboutSession {
  /** Why it fails; left out: it is being aborted or deleted. */
  readonly failure?: string | null;
}

interface StandingPause extends StandingSession {
  readonly pausedAt: Date;
  readonly pausedBecause: string | null;
}

interface DeadlineMissed extends AboutSession {
  readonly severity: Severity;
  readonly deadlineMs: number;
  readonly isPassed: boolean;
  /** The end, as it is foreseen; Infinity: never; undefined: nobody knows. */
  readonly endMs: number | undefined;
  /** Set where the owner of an instance has put it off beyond the deadline. */
  readonly putOff?: PutOffBeyond | undefined;
}

interface PutOffBeyond {
  readonly instanceName: string;
  readonly projectId: string;
  readonly untilMs: number;
}

/** Milliseconds. */
interface FreezeInTheWay {
  /** In words. */
  readonly freeze: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly nowMs: number;
}

interface RightToTell extends MissingRightWords {
  /** limits: the service works without it, with what is `lost`. */
  readonly severity: 'stops' | 'limits';
  readonly lost?: string | undefined;
}

interface HostsLeftAlone extends AboutSession {
  readonly hostCount: number;
  /** The names of the hosts on which no action runs: one at least. */
  readonly without: readonly string[];
  /** Whether the session is there already: its actions cannot be changed any more. */
  readonly isCreated: boolean;
}

interface CapacityToTell {
  /** The least that is needed, in words. */
  readonly need: string;
  readonly projectIds: readonly string[];
  readonly missing: MissingCapacity;
}

/** It pauses itself because of a project, or at a time, where the plan goes on. */
type SelfPause = AboutSession & { readonly why: string } & (
    { readonly projectId: string } | { readonly projectId?: undefined; readonly atMs: number }
  );

const planned = (isPlanned: boolean): string => (isPlanned ? '; planned as if it were now' : '');

const namesShown = 3;

const hostsInWords = (names: readonly string[]): string => {
  const more = names.length - namesShown;
  const shown = names.slice(0, namesShown).join(', ');
  return `host${names.length === 1 ? '' : 's'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
};

const hostsLeftAlone = ({ without, hostCount }: HostsLeftAlone): string =>
  without.length === hostCount ? 'its hosts' : hostsInWords(without);

const repair = (toRepair: readonly string[]): string =>
  toRepair.length === 0 ? 'repair the cause' : `repair the cause on ${hostsInWords(toRepair)}`;

const endInWords = (endMs: number | undefined): string => {
  if (endMs === undefined) return '';
  return endMs === Infinity ? '; it is not expected to end' : `; it is expected to end at ${atTime(endMs)}`;
};

const deadlineInWords = ({ severity, isPassed, deadlineMs, endMs }: DeadlineMissed): string => {
  const deadline = `its deadline ${atTime(deadlineMs)}`;
  if (isPassed) return `the session has passed ${deadline}${endInWords(endMs)}`;
  if (severity !== 'note') return `the session is not expected to be over at ${deadline}${endInWords(endMs)}`;
  const latest = endMs === undefined ? '' : `: it ends at ${atTime(endMs)} at the latest`;
  return `the session may pass ${deadline}${latest}`;
};

const putOffInWords = ({ putOff }: DeadlineMissed): string =>
  putOff === undefined
    ? ''
    : `, because project ${putOff.projectId} lets instance ${putOff.instanceName} be impacted only from ${atTime(putOff.untilMs)} on`;

export const sessionBlockers = {
  cloud_right_missing: (right: RightToTell) => ({
    ...aboutCloud(right.rule),
    severity: right.severity === 'stops' ? 'stops' : 'note',
    when: 'now',
    owner: 'operator',
    because: `${rightIsMissing(right)}; ${right.lost ?? 'no work on a host begins without it'}`,
    help: helpForRight,
    isNotPlayed: right.severity === 'stops',
  }),

  deadline_missed: (facts: DeadlineMissed) => ({
    ...aboutSession(facts.sessionId),
    severity: facts.severity,
    when: 'later',
    owner: 'admin',
    because: `${deadlineInWords(facts)}${putOffInWords(facts)}`,
    help:
      facts.putOff === undefined
        ? 'skip hosts or name fewer, begin earlier, raise max_parallel_hosts where it is given, or move the deadline'
        : 'ask the project for an earlier time, change postpone or owner_hours, skip the host, or move the deadline',
  }),

  download_failing: ({ sessionId, problem }: AboutSession & { readonly problem: string }) => ({
    ...aboutSession(sessionId),
    severity: 'delays',
    when: 'now',
    owner: 'operator',
    because: problem,
    help: 'it is tried again by itself; repair its source',
  }),

  no_capacity: ({ need, projectIds, missing }: CapacityToTell) => {
    const isAsked = projectIds.length > 0;
    const projects = `project${projectIds.length === 1 ? '' : 's'} ${projectIds.slice(0, 5).join(', ')}`;
    return {
      ...aboutCloud('cloud'),
      severity: 'stops',
      when: 'later',
      owner: 'operator',
      because: `no host can be drained: ${need}`,
      help:
        `add or enable a compute host with that much free, or let ${isAsked ? projects : 'a project'} scale in` +
        (isAsked ? '; the session asks for that in state SCALE_IN' : ''),
      missing,
    };
  },

  nothing_maintained: (hosts: HostsLeftAlone) => ({
    ...aboutSession(hosts.sessionId),
    severity: 'note',
    when: 'now',
    owner: 'admin',
    because:
      `the session has no action for ${hostsLeftAlone(hosts)}, so nothing is maintained there: ` +
      'hosts are only drained, disabled and enabled again',
    help: hosts.isCreated
      ? 'nothing has to be done if that is meant; else maintain them in another session, with an action of type host'
      : 'nothing has to be done if that is meant; else name an action of type host, compute or controller',
  }),

  /** Nothing that was seen tells who will refuse. */
  refusals_not_foreseen: ({ sessionId, lastNack }: AboutSession & { readonly lastNack: 'pause' | 'skip_host' }) => ({
    ...aboutSession(sessionId),
    severity: 'note',
    when: 'later',
    owner: 'admin',
    because: `the session ${lastNack === 'pause' ? 'pauses itself' : 'skips the host'} where a project refuses for the last time (reply_policy); the plan supposes that none does`,
    help: 'ask the projects that may refuse before the session begins',
  }),

  session_ending: ({ sessionId, failure }: EndingSession) => ({
    ...aboutSession(sessionId),
    severity: 'stops',
    when: 'now',
    owner: 'service',
    because:
      failure === undefined
        ? 'the session is being aborted or deleted'
        : `the session fails: ${failure ?? 'no reason given'}`,
    help:
      'nothing has to be done: it ends when nothing is in flight any more' +
      (failure === undefined ? '' : '; then repair the cause and continue the session'),
  }),

  session_failed: ({ sessionId, failure, isPlanned, toRepair = [] }: StandingFailure) => ({
    ...aboutSession(sessionId),
    severity: 'stops',
    when: 'now',
    owner: 'admin',
    because: failure ?? 'the session has failed',
    help: `${repair(toRepair)}, then continue the session (PUT /v1/maintenance/{session_id})${planned(isPlanned)}`,
  }),

  session_frozen: ({ sessionId, freeze, fromMs, untilMs, nowMs }: AboutSession & FreezeInTheWay) => ({
    ...aboutSession(sessionId),
    severity: 'delays',
    when: fromMs <= nowMs ? 'now' : 'later',
    owner: 'admin',
    because: `${freeze} keeps it from beginning anything ${fromMs <= nowMs ? '' : `from ${atTime(fromMs)} `}until ${atTime(untilMs)}`,
    help: helpForFreeze,
  }),

  session_paused: ({ sessionId, pausedAt, pausedBecause, isPlanned }: StandingPause) => ({
    ...aboutSession(sessionId),
    severity: 'stops',
    when: 'now',
    owner: 'admin',
    because: pausedBecause
      ? `the session paused itself at ${pausedAt.toISOString()}: ${pausedBecause}`
      : `an admin paused the session at ${pausedAt.toISOString()}`,
    help: `resume the session (POST /v1/maintenance/{session_id}/resume)${planned(isPlanned)}`,
  }),

  session_pauses: (facts: SelfPause) =>
    facts.projectId === undefined
      ? {
          ...aboutSession(facts.sessionId),
          severity: 'delays',
          when: 'later',
          owner: 'admin',
          because: `the session pauses itself at about ${atTime(facts.atMs)}: ${facts.why}; planned as if it were resumed at once`,
          help: 'POST /v1/maintenance/{session_id}/resume then; or let the canary continue by itself',
        }
      : {
          ...aboutProject(facts.projectId),
          severity: 'stops',
          when: 'later',
          because: `the session pauses itself, since ${facts.why} (reply_policy)`,
          help: 'see that the manager of the project answers; or change reply_policy, so that hosts are skipped or the default follows',
        },

  too_many_sessions: ({ count, most }: { readonly count: number; readonly most: number }) => ({
    ...aboutCloud('sessions'),
    severity: 'stops',
    when: 'now',
    owner: 'admin',
    because: `${count} sessions are unfinished, and at most ${most} may be`,
    help: 'wait for one of them to end, or delete one that has failed; or raise PARLEY_MAX_SESSIONS',
  }),

  window_not_known: ({ sessionId, problem }: AboutSession & { readonly problem: string }) => ({
    ...aboutSession(sessionId),
    severity: 'stops',
    when: 'now',
    owner: 'admin',
    because: `nothing begins on a worker like this API: ${problem}; the plan is made as if there were no windows`,
    help: helpForWindows.notKnown,
  }),

  /** `freezes`: the names of those that the session keeps; empty: none. */
  windows_over: ({ sessionId, freezes }: AboutSession & { readonly freezes: string }) => ({
    ...aboutSession(sessionId),
    severity: 'stops',
    when: 'later',
    owner: 'admin',
    because:
      freezes === ''
        ? 'hosts are left when the last of its maintenance windows closes'
        : `hosts are left when the last time closes that its maintenance windows and freezes (${freezes}) leave`,
    help: freezes === '' ? helpForWindows.over : `${helpForWindows.over}, or ${helpForFreeze}`,
  }),

  workflow_not_known: ({ workflow }: { readonly workflow: string }) => ({
    ...aboutSession(workflow),
    severity: 'note',
    when: 'now',
    owner: 'admin',
    because: `workflow ${workflow} comes with the packages, so the plan supposes that it works as default does`,
    help: 'create the session to have its packages looked at',
  }),
} as const satisfies BlockerKinds;
