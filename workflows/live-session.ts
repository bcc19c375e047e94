/** A running session for its state handlers: each method waits around one activity that looks at the facts. */
import { ApplicationFailure, makeContinueAsNewFunc, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { HeldBack } from '../activities/session/answer-held-back';
import type { SessionAtStart } from '../activities/session/session-activities';
import type { MaintenanceSession } from '../plugins/workflows/workflow-plugin';
import { longestWaitMs } from '../rules/decisions/look-again';
import { searchAttributes, type SessionInput, wakeUp, workflowTypes } from '../temporal/workflow-messages';
import { pluginRuns, quick } from './activity-proxies';
import { hostTeller } from './host-workflows';
import type { Publishing } from './publishing';
import type { WakeUps } from './wake-ups';

export interface LiveSession extends MaintenanceSession {
  readonly publishing: Publishing;
  state(): string;
  /** The session is set up for its first state, which it has not entered yet: a new run sets it up again. */
  nowSettingUp(state: string): void;
  nowIn(state: string): void;
  /** The session has asked the projects in its present state, and continues with their answers. */
  restsOnAnswers(): boolean;
  /** Repeats the steps that a paused session postpones, until it is resumed. */
  unlessPaused<T>(begin: () => Promise<T | HeldBack>): Promise<T>;
  /** Has the workflows of these hosts look at their rows, and waits until one of them reports. */
  untilReported(hostnames: readonly string[]): Promise<void>;
}

interface LiveSessionParts {
  readonly input: SessionInput;
  readonly atStart: SessionAtStart;
  readonly publishing: Publishing;
  readonly wakeUps: WakeUps;
}

/** States in which hosts are worked on. */
const rollingStates = ['PREPARE_MAINTENANCE', 'START_MAINTENANCE', 'PLANNED_MAINTENANCE'];

/** A session may wait for its start for weeks; if the wake-up of a change is lost, it looks after this time. */
const longestWaitForStartMs = 600_000;

/** The answer of an activity of a waiting state: the present result, and when to look again if nothing happens. */
interface WaitingStanding {
  readonly lookAgainMs: number;
  readonly failure?: string;
  readonly awaitedProjects?: readonly string[];
}

/** The session while it runs, with all of it that changes. */
interface LiveRun extends LiveSessionParts {
  state: string;
  /** The input of the next run, if one has to follow now. */
  again: SessionInput;
  /** The projects were asked in the present state. */
  isAsked: boolean;
  readonly showAwaited: (projectIds: readonly string[]) => void;
}

export const createLiveSession = (parts: LiveSessionParts): LiveSession => {
  const { input, atStart, publishing, wakeUps } = parts;
  const { sessionId } = input;
  const showAwaited = awaitedProjectsDisplay();
  const run: LiveRun = { ...parts, state: 'MAINTENANCE', again: input, isAsked: false, showAwaited };
  return {
    id: sessionId,
    metadata: atStart.metadata,
    publishing,
    unlessPaused: (begin) => unlessPaused(run, begin),
    state: () => run.state,
    nowSettingUp(state) {
      run.state = state;
    },
    nowIn(state) {
      run.state = state;
      run.again = goingOn(whereIs(run));
      run.isAsked = false;
    },
    restsOnAnswers: () => run.isAsked,
    askProjects: () => askProjects(run),
    waitUntilStart: () => untilBegun(run),
    async untilReported(hostnames) {
      const tell = hostTeller(sessionId);
      await Promise.all(hostnames.map((hostname) => tell(hostname, wakeUp)));
      await wakeUps.within(longestWaitMs);
    },
    runPlugins: (type) => runPlugins(run, type),
    chooseBeginning: () => unlessPaused(run, () => quick.chooseBeginning(whereIs(run))),
    scaleIn: () => scaleIn(run),
    async roll() {
      const { state } = run;
      if (!rollingStates.includes(state))
        throw new Error(`roll() is for ${rollingStates.join(', ')}, not for ${state}`);
      return roll({ sessionId, state, wakeUps, publishing, showAwaited });
    },
  };
};

const whereIs = ({ input: { sessionId }, state }: LiveRun) => ({ sessionId, state });

/** Repeats `look` at every wake-up until `over` returns a result. */
const lookUntil = async <S extends WaitingStanding, T>(
  run: LiveRun,
  look: () => Promise<S>,
  over: (standing: S) => T | undefined,
): Promise<T> => {
  for (;;) {
    const standing = await look();
    run.publishing.soon();
    run.showAwaited(standing.awaitedProjects ?? []);
    if (standing.failure !== undefined) throw failed(standing.failure);
    const result = over(standing);
    if (result !== undefined) return result;
    await run.wakeUps.within(standing.lookAgainMs);
    await continueAsNewWhenLong(goingOn(whereIs(run)));
  }
};

const unlessPaused = async <T>(run: LiveRun, begin: () => Promise<T | HeldBack>): Promise<T> => {
  for (;;) {
    const begun = await begin();
    if (!isHeldBack(begun)) return begun;
    await run.wakeUps.within(begun.tryAgainMs);
    await continueAsNewWhenLong(run.again);
  }
};

const askProjects = async (run: LiveRun): Promise<void> => {
  const { state } = run;
  if (['SCALE_IN', ...rollingStates].includes(state)) throw new Error(`state ${state} asks projects by itself`);
  await lookUntil(
    run,
    () => quick.askProjects(whereIs(run)),
    ({ settled }) => (settled ? true : undefined),
  );
  run.isAsked = true;
};

/** An admin may move the start: the row says when it is. */
const untilBegun = async (run: LiveRun): Promise<void> => {
  for (;;) {
    const remainingMs = await quick.lookAtStart(whereIs(run));
    if (remainingMs <= 0) return;
    const isWoken = await run.wakeUps.within(Math.min(remainingMs, longestWaitForStartMs));
    if (isWoken && run.isAsked) await askProjects(run);
    await continueAsNewWhenLong(run.again);
  }
};

const runPlugins = async (run: LiveRun, type: 'pre' | 'post'): Promise<void> => {
  const positions = await quick.listPlugins({ sessionId: run.input.sessionId, hostname: '', types: [type] });
  for (const position of positions) {
    await unlessPaused(run, () => pluginRuns.runPlugin({ ...whereIs(run), hostname: '', position }));
  }
};

const scaleIn = async (run: LiveRun): Promise<string> => {
  if (run.state !== 'SCALE_IN') throw new Error(`scaleIn() is for SCALE_IN, not for ${run.state}`);
  return lookUntil(
    run,
    () => quick.scaleIn(whereIs(run)),
    ({ next }) => next,
  );
};

const isHeldBack = (begun: unknown): begun is HeldBack =>
  typeof begun === 'object' && begun !== null && 'tryAgainMs' in begun;

interface Rolling {
  readonly sessionId: string;
  readonly state: string;
  readonly wakeUps: WakeUps;
  readonly publishing: Publishing;
  readonly showAwaited: (projectIds: readonly string[]) => void;
}

/** Decides, tells the hosts' workflows their new orders, and waits for the next wake-up. */
const roll = async ({ sessionId, state, wakeUps, publishing, showAwaited }: Rolling): Promise<string> => {
  const tell = hostTeller(sessionId);
  const told = new Map<string, { orders: string; atMs: number }>();
  for (;;) {
    const plan = await quick.planAndAdmit({ sessionId, state });
    showAwaited(plan.awaitedProjects);
    if (plan.unpublished) publishing.soon();
    if (plan.failure !== undefined) throw failed(plan.failure);
    if (plan.next !== undefined) return plan.next;
    const news = plan.underWork.filter((host) => isNews(host, told.get(host.hostname)));
    await Promise.all(news.map(({ hostname }) => tell(hostname, wakeUp)));
    for (const { hostname, orders } of news) told.set(hostname, { orders, atMs: Date.now() });
    await wakeUps.within(plan.lookAgainMs);
    await continueAsNewWhenLong(goingOn({ sessionId, state }));
  }
};

/** A wake-up may have been lost, or a host's workflow may have ended: everything is told again from time to time. */
const tellAgainMs = 60_000;
/**
 * Does not signal hosts in maintenance: nothing changes for them for hours, and a workflow takes 10,000 signals a run.
 * The sweeper finds a host whose workflow has ended.
 */
const tellMaintainingAgainMs = 600_000;

const isNews = (
  { orders, phase }: { readonly orders: string; readonly phase: string },
  last: { readonly orders: string; readonly atMs: number } | undefined,
): boolean => {
  const againMs = phase === 'maintaining' ? tellMaintainingAgainMs : tellAgainMs;
  return last?.orders !== orders || Date.now() - last.atMs >= againMs;
};

const goingOn = ({ sessionId, state }: { sessionId: string; state: string }): SessionInput => ({
  sessionId,
  from: { state, how: 'continue' },
});

const failed = (reason: string) => ApplicationFailure.nonRetryable(reason, 'MaintenanceFailed');

/** MaintenanceProject: the projects that the session waits for, for the list in Temporal Web UI. */
const awaitedProjectsDisplay = () => {
  let shown = '';
  return (projectIds: readonly string[]): void => {
    if (projectIds.join() === shown) return;
    shown = projectIds.join();
    upsertSearchAttributes([{ key: searchAttributes.project, value: [...projectIds] }]);
  };
};

/** Leaves a long history behind: the next run continues from the facts. */
export const continueAsNewWhenLong = async (input: SessionInput): Promise<void> => {
  if (!workflowInfo().continueAsNewSuggested) return;
  const continueAsNew = makeContinueAsNewFunc<(input: SessionInput) => Promise<string>>({
    workflowType: workflowTypes.session,
  });
  await continueAsNew(input);
};
