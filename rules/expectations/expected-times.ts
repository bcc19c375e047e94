/**
 * The expected durations: from the session's request, or else from the cloud, or else from earlier observations, or
 * else from the settings. The order of hosts, maintenance windows, plans and the summaries of sessions all ask here.
 * No limit depends on an expectation.
 */
import { type IdKey, keyOf } from '../cloud/id';
import type { Action, Host, Instance, LearnedMaintenance } from '../decisions/fleet/fleet';
import { type UsualTimes, usualTimes } from '../decisions/fleet/usual-times';
import { secondsTold, type TimedPlugin } from './plugins-of-host';

/** All in seconds. */
export interface ExpectedTimes {
  /** The time from the beginning of the maintenance until the host is back. */
  readonly maintenanceSeconds: (host: HostToMaintain) => number;
  /** Undefined: that time was not learned, but is told by the request or the cloud, or is the usual one. */
  readonly learnedMaintenance: (host: HostToMaintain) => LearnedMaintenance | undefined;
  /** The time from the beginning of the action until its end. */
  readonly moveSeconds: (instance: InstanceToMove, action: Action) => number;
  /** The time from the question until its answer, or until the end of the reply window when nobody answers. */
  readonly answerSeconds: (question: QuestionToAnswer) => number;
}

/** `expectedMaintenanceSeconds` is the cloud's value, which comes before all that was seen. */
export type HostToMaintain = Pick<Host, 'name' | 'type' | 'isCompute' | 'expectedMaintenanceSeconds'>;

/** `expectedMoveSeconds` is what the cloud has seen of the instance itself: it comes before what was seen of others. */
export type InstanceToMove = Pick<Instance, 'projectId' | 'expectedMoveSeconds'>;

export interface QuestionToAnswer {
  readonly projectId: string;
  /** The seconds that the project has for its answer. */
  readonly windowSeconds: number;
}

/** Takes the times by the names of the settings. */
export const usualTimesOf = (settings: {
  readonly expectedMaintenanceSeconds: number;
  readonly expectedMoveSeconds: number;
  readonly expectedAnswerSeconds: number;
}): UsualTimes => ({
  maintenanceSeconds: settings.expectedMaintenanceSeconds,
  moveSeconds: settings.expectedMoveSeconds,
  answerSeconds: settings.expectedAnswerSeconds,
});

export interface SeenTimes {
  readonly maintenances: readonly SeenMaintenance[];
  readonly moves: readonly SeenMoves[];
  readonly answers: readonly SeenAnswers[];
}

export const nothingSeen: SeenTimes = { maintenances: [], moves: [], answers: [] };

export interface SeenMaintenance {
  readonly hostname: string;
  readonly type: Host['type'];
  readonly seconds: number;
  /**
   * A maintenance that ended in the session that is planned, or else in the host's last session with the same actions.
   */
  readonly isOfThisSession: boolean;
  /** Milliseconds; left out: long ago. */
  readonly endedAtMs?: number;
}

/** The moves of a project's instances by one action. */
export interface SeenMoves {
  readonly projectId: string;
  readonly action: Action;
  /** The mean of the latest ones. */
  readonly seconds: number;
}

/** The answers of a project to questions about its instances. */
export interface SeenAnswers {
  readonly projectId: string;
  /** The mean of the latest ones; undefined: it has answered none. */
  readonly seconds: number | undefined;
  /** The share, from 0 to 1, of the latest questions that it left without an answer. */
  readonly silentShare: number;
}

/** @param plugins those of the session; left out: nobody tells how long they take */
export const expectedTimes = (
  seen: SeenTimes,
  usual: UsualTimes = usualTimes,
  plugins?: readonly TimedPlugin[],
): ExpectedTimes => {
  const maintenances = indexOf(seen.maintenances);
  const moves = new Map(seen.moves.map(({ projectId, action, seconds }) => [moveKey(projectId, action), seconds]));
  const answers = new Map<IdKey, SeenAnswers>(seen.answers.map((one) => [keyOf(one.projectId), one]));
  const told = (host: HostToMaintain): number | undefined =>
    (plugins && secondsTold(plugins, host)) ?? host.expectedMaintenanceSeconds;
  const usualSeconds = usual.maintenanceSeconds;
  return {
    maintenanceSeconds: (host) => told(host) ?? seenOf(host, maintenances)?.seconds ?? usualSeconds,
    learnedMaintenance: (host) => {
      const seen = told(host) === undefined ? seenOf(host, maintenances) : undefined;
      return seen && { seenAtMs: seen.endedAtMs, usualSeconds };
    },
    moveSeconds: ({ projectId, expectedMoveSeconds }, action) =>
      expectedMoveSeconds ?? moves.get(moveKey(projectId, action)) ?? usual.moveSeconds,
    answerSeconds: (question) => answerSecondsOf(question, answers.get(keyOf(question.projectId)), usual),
  };
};

/** The host with the time of its maintenance, and where that was learned from. */
export const withExpectedMaintenance = (host: Host, expected: ExpectedTimes): Host => {
  const learned = expected.learnedMaintenance(host);
  return {
    ...host,
    expectedMaintenanceSeconds: expected.maintenanceSeconds(host),
    ...(learned && { learnedMaintenance: learned }),
  };
};

const moveKey = (projectId: string, action: Action): string => {
  return `${action} ${keyOf(projectId)}`;
};

/** Silence takes the whole window, and an answer at most as long. */
const answerSecondsOf = (
  { windowSeconds }: QuestionToAnswer,
  seen: SeenAnswers | undefined,
  usual: UsualTimes,
): number => {
  const answered = Math.min(windowSeconds, seen?.seconds ?? usual.answerSeconds);
  const silentShare = seen?.silentShare ?? 0;
  return silentShare * windowSeconds + (1 - silentShare) * answered;
};

/** What was seen of a host, or of hosts of a type. */
interface SeenDuration {
  readonly seconds: number;
  /** The newest one. */
  readonly endedAtMs: number;
}

interface MaintenanceIndex {
  readonly lastOf: ReadonlyMap<string, SeenDuration>;
  /** Seen durations by the type of the hosts. */
  readonly nowOf: ReadonlyMap<string, SeenDuration>;
  readonly beforeOf: ReadonlyMap<string, SeenDuration>;
}

/** The host's last session; or hosts of its type in this session; or those in their last sessions. */
const seenOf = (
  { name, type }: HostToMaintain,
  { lastOf, nowOf, beforeOf }: MaintenanceIndex,
): SeenDuration | undefined => lastOf.get(name) ?? nowOf.get(type) ?? beforeOf.get(type);

const indexOf = (seen: readonly SeenMaintenance[]): MaintenanceIndex => {
  const before = seen.filter(({ isOfThisSession }) => !isOfThisSession);
  return {
    lastOf: new Map(before.map((one) => [one.hostname, summaryOf([one])])),
    nowOf: medianByType(seen.filter(({ isOfThisSession }) => isOfThisSession)),
    beforeOf: medianByType(before),
  };
};

const medianByType = (seen: readonly SeenMaintenance[]): ReadonlyMap<string, SeenDuration> => {
  const byType = Map.groupBy(seen, ({ type }) => type);
  return new Map(Array.from(byType, ([type, some]) => [type, summaryOf(some)]));
};

const summaryOf = (seen: readonly SeenMaintenance[]): SeenDuration => ({
  seconds: medianOf(seen.map(({ seconds }) => seconds)),
  endedAtMs: seen.reduce((newest, { endedAtMs = 0 }) => Math.max(newest, endedAtMs), 0),
});

/** The median: one slow host among many does not count. */
const medianOf = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
};
