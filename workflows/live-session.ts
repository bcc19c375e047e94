/** A running session for its state handlers: each method waits around one activity that looks at the facts. */
import {
  ApplicationFailure,
  makeContinueAsNewFunc,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { HeldBack } from '../activities/session/answer-held-back';
import type { Paused } from '../activities/session/run-in-force';
import type { SessionAtStart } from '../activities/session/session-activities';
import type { MaintenanceSession } from '../plugins/workflows/workflow-plugin';
import { longestWaitMs } from '../rules/planning/look-again';
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
  unlessPaused<T>(begin: () => Promise<T | Paused | HeldBack>): Promise<T>;
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

export const createLiveSession = ({ input, atStart, publishing, wakeUps }: LiveSessionParts): LiveSession => {
  const { sessionId } = input;
  const { maintenanceAtMs, metadata = {} } = atStart;
  const showAwaited = awaitedProjectsDisplay();
  let now: string = 'MAINTENANCE';
  let again = input;
  let isAsked = false;
  const where = () => ({ sessionId, state: now });
  const inWindow = () => ({ ...where(), knowsHeldBack: true });
  /** Repeats `look` at every wake-up until `over` returns a result. */
  const lookUntil = async <S extends WaitingStanding, T>(
    look: () => Promise<S>,
    over: (standing: S) => T | undefined,
  ): Promise<T> => {
    for (;;) {
      const standing = await look();
      publishing.soon();
      showAwaited(standing.awaitedProjects ?? []);
      if (standing.failure !== undefined) throw failed(standing.failure);
      const result = over(standing);
      if (result !== undefined) return result;
      await wakeUps.within(standing.lookAgainMs);
      await continueAsNewWhenLong(goingOn(where()));
    }
  };
  const unlessPaused = async <T>(begin: () => Promise<T | Paused | HeldBack>): Promise<T> => {
    for (;;) {
      const begun = await begin();
      if (!isHeldBack(begun)) return begun;
      await wakeUps.within(begun === 'paused' ? longestWaitMs : begun.tryAgainMs);
      await continueAsNewWhenLong(again);
    }
  };
  const askProjects = async (): Promise<void> => {
    if (['SCALE_IN', ...rollingStates].includes(now)) throw new Error(`state ${now} asks projects by itself`);
    await lookUntil(
      () => quick.askProjects(where()),
      ({ settled }) => (settled ? true : undefined),
    );
    isAsked = true;
  };
  /** An admin may move the start: the row says when it is. */
  const untilBegun = async (): Promise<void> => {
    for (;;) {
      const remainingMs = await quick.lookAtStart(where());
      if (remainingMs <= 0) return;
      const isWoken = await wakeUps.within(Math.min(remainingMs, longestWaitForStartMs));
      if (isWoken && isAsked) await askProjects();
      await continueAsNewWhenLong(again);
    }
  };
  return {
    id: sessionId,
    metadata,
    publishing,
    unlessPaused,
    state: () => now,
    nowSettingUp(state) {
      now = state;
    },
    nowIn(state) {
      now = state;
      again = goingOn(where());
      isAsked = false;
    },
    restsOnAnswers: () => isAsked,
    askProjects,
    async waitUntilStart() {
      if (atStart.looksAtStart === true) return untilBegun();
      // Histories from before the start could be moved.
      const remainingMs = () => maintenanceAtMs - Date.now();
      if (remainingMs() <= 0) return;
      if (!isAsked || atStart.asksAgainBeforeStart !== true) return sleep(remainingMs());
      while (remainingMs() > 0) {
        if (await wakeUps.within(remainingMs())) await askProjects();
        await continueAsNewWhenLong(again);
      }
    },
    async untilReported(hostnames) {
      const tell = hostTeller(sessionId);
      await Promise.all(hostnames.map((hostname) => tell(hostname, wakeUp)));
      await wakeUps.within(longestWaitMs);
    },
    async runPlugins(type) {
      const positions = await quick.listPlugins({ sessionId, hostname: '', types: [type] });
      for (const position of positions) {
        await unlessPaused(() => pluginRuns.runPlugin({ ...inWindow(), hostname: '', position }));
      }
    },
    chooseBeginning: () => unlessPaused(() => quick.chooseBeginning(inWindow())),
    async scaleIn() {
      if (now !== 'SCALE_IN') throw new Error(`scaleIn() is for SCALE_IN, not for ${now}`);
      return lookUntil(
        () => quick.scaleIn(where()),
        ({ next }) => next,
      );
    },
    async roll() {
      if (!rollingStates.includes(now)) throw new Error(`roll() is for ${rollingStates.join(', ')}, not for ${now}`);
      return roll({ sessionId, state: now, wakeUps, publishing, showAwaited });
    },
  };
};

const isHeldBack = (begun: unknown): begun is Paused | HeldBack =>
  begun === 'paused' || (typeof begun === 'object' && begun !== null && 'tryAgainMs' in begun);

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

/** A search attribute holds 2 KB at most. */
const mostProjectsShown = 40;

/** MaintenanceProject: the projects that the session waits for, for the list in Temporal Web UI. */
const awaitedProjectsDisplay = () => {
  let shown = '';
  return (projectIds: readonly string[]): void => {
    const list = projectIds.slice(0, mostProjectsShown);
    if (list.join() === shown) return;
    shown = list.join();
    upsertSearchAttributes([{ key: searchAttributes.project, value: [...list] }]);
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
