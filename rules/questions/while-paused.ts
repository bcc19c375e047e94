/**
 * A paused session: nothing new begins, everything in flight ends, and the windows of open questions run on, because
 * their managers were promised that time. The consequences of an answer or of silence wait until the session is
 * resumed.
 */
import type { HostPhase } from '../decisions/fleet/fleet';
import { isDone } from '../decisions/fleet/host-work';
import type { Waiting } from '../obstacles/waits';
import type { NegotiationStep } from './negotiation';
import type { ScaleInStep } from './scale-in-round';

/** Reduces the step of a negotiation to closing the questions whose windows have ended. */
export const holdBackQuestions = ({ close, unneeded, open, lookAgainMs }: NegotiationStep): NegotiationStep => {
  return { close, unneeded, open, lookAgainMs, create: [], settled: false };
};

/** A project that was asked to scale in has its promised time. No other project is asked, and no round is the last. */
export const holdBackScaleIn = (step: ScaleInStep, lookAgainMs: number): ScaleInStep => {
  if (step.kind === 'wait') return { ...step, lookAgainMs: Math.min(step.lookAgainMs, lookAgainMs) };
  return { kind: 'wait', close: step.close, projectIds: [], lookAgainMs };
};

/** The session's records that show what is in flight and what waits. */
export interface PausedScene {
  /** Why whatever is not in flight waits. */
  readonly reasonFor: (who: string) => Waiting;
  readonly nowMs: number;
  readonly hosts: readonly { readonly name: string; readonly phase: HostPhase; readonly isAnnounced: boolean }[];
  readonly instances: readonly { readonly id: string; readonly host: string }[];
  /** Instances whose action has begun. */
  readonly moving: ReadonlySet<string>;
  /** The open questions about single instances or hosts. */
  readonly questions: readonly AskedAbout[];
}

interface AskedAbout {
  readonly projectId: string;
  readonly hostname: string;
  readonly instanceIds: readonly string[];
  /** The time when its event reached the bus; undefined: not yet. */
  readonly askedAtMs?: number;
  readonly replyAtMs?: number;
}

/**
 * A reason for every host that is not over, and every instance on one: the answer when one is awaited, or else the
 * resume.
 */
export const waitingWhilePaused = (scene: PausedScene): Waiting[] => {
  const { hosts, instances, moving, questions, reasonFor } = scene;
  const questionAbout = new Map(
    questions.flatMap((question) => question.instanceIds.map((id) => [id, question] as const)),
  );
  const toBeEmptied = new Set(hosts.filter((host) => !isDone(host)).map(({ name }) => name));
  return [
    ...hosts.filter((host) => !isInFlight(host, scene)).map(({ name }) => reasonFor(name)),
    ...instances
      .filter(({ id, host }) => toBeEmptied.has(host) && !moving.has(id))
      .map(({ id }) => {
        const question = questionAbout.get(id);
        return question === undefined ? reasonFor(id) : answerReason(id, question, scene.nowMs);
      }),
  ];
};

/** True when it is done, ends by itself, or something on it does. */
const isInFlight = ({ name, phase, isAnnounced }: PausedScene['hosts'][number], scene: PausedScene): boolean => {
  switch (phase) {
    case 'waiting':
      return false;
    case 'emptying':
      return (
        scene.questions.some(({ hostname }) => hostname === name) ||
        scene.instances.some(({ id, host }) => host === name && scene.moving.has(id))
      );
    case 'maintaining':
      return isAnnounced;
    case 'releasing':
    case 'maintained':
    case 'failed':
    case 'set_aside':
    case 'skipped':
      return true;
  }
};

const answerReason = (
  who: string,
  { projectId: subject, askedAtMs, replyAtMs }: AskedAbout,
  nowMs: number,
): Waiting => {
  // Nobody can answer before its event is on the bus.
  if (askedAtMs === undefined) return { waitingFor: 'bus', who, subject };
  return { waitingFor: 'answer', who, subject, ...(replyAtMs !== undefined && { remainingMs: replyAtMs - nowMs }) };
};
