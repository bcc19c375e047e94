/** A running session as its state handlers see it: each method is a wait around one activity that looks at the facts. */
import {
  ApplicationFailure,
  makeContinueAsNewFunc,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SessionState } from '../planning/fleet';
import { pluginRuns, quick } from './activity-proxies';
import { hostTeller } from './host-workflows';
import { searchAttributes, type SessionInput, wakeUp, workflowTypes } from './messages';
import type { Publishing } from './publishing';
import { listenForWakeUps, type WakeUps } from './wake-ups';
import type { MaintenanceSession } from './workflow-plugin';

export interface LiveSession extends MaintenanceSession {
  readonly publishing: Publishing;
  state(): SessionState;
  nowIn(state: SessionState): void;
}

interface Opening {
  readonly sessionId: string;
  readonly maintenanceAtMs: number;
  readonly publishing: Publishing;
}

/** What an activity of a waiting state answers: how it stands, and when to look again if nothing happens. */
interface Standing {
  readonly lookAgainMs: number;
  readonly failure?: string;
  readonly awaitedProjects?: readonly string[];
}

export const openLiveSession = ({ sessionId, maintenanceAtMs, publishing }: Opening): LiveSession => {
  const wakeUps = listenForWakeUps();
  const showAwaited = awaitedProjectsDisplay();
  let now: SessionState = 'MAINTENANCE';
  const where = () => ({ sessionId, state: now });
  /** Repeats `look` at every wake-up until `over` says what came of it. */
  const lookUntil = async <S extends Standing, T>(
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
      await continueAsNewWhenLong(where());
    }
  };
  return {
    id: sessionId,
    publishing,
    state: () => now,
    nowIn(state) {
      now = state;
    },
    async askProjects() {
      await lookUntil(
        () => quick.askProjects(where()),
        ({ settled }) => (settled ? true : undefined),
      );
    },
    async waitUntilStart() {
      const remainingMs = maintenanceAtMs - Date.now();
      if (remainingMs > 0) await sleep(remainingMs);
    },
    async runPlugins(type) {
      const positions = await quick.listPlugins({ sessionId, hostname: '', types: [type] });
      for (const position of positions) await pluginRuns.runPlugin({ sessionId, hostname: '', position });
    },
    chooseBeginning: () => quick.chooseBeginning(where()),
    scaleIn: () =>
      lookUntil(
        () => quick.scaleIn(where()),
        ({ next }) => next,
      ),
    roll: () => roll({ sessionId, state: now, wakeUps, publishing }),
  };
};

interface Rolling {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly wakeUps: WakeUps;
  readonly publishing: Publishing;
}

/** Decides, has the hosts' workflows told what is new for them, and waits for the next happening. */
const roll = async ({ sessionId, state, wakeUps, publishing }: Rolling): Promise<SessionState> => {
  const tell = hostTeller(sessionId);
  const told = new Map<string, string>();
  for (;;) {
    const plan = await quick.planAndAdmit({ sessionId, state });
    if (plan.unpublished) publishing.soon();
    if (plan.failure !== undefined) throw failed(plan.failure);
    if (plan.next !== undefined) return plan.next;
    const news = plan.underWork.filter(({ hostname, orders }) => told.get(hostname) !== orders);
    await Promise.all(news.map(({ hostname }) => tell(hostname, wakeUp)));
    for (const { hostname, orders } of news) told.set(hostname, orders);
    const woken = await wakeUps.within(plan.lookAgainMs);
    if (!woken) told.clear(); // a wake-up may have been lost: everything is told again
    await continueAsNewWhenLong({ sessionId, state });
  }
};

const failed = (reason: string) => ApplicationFailure.nonRetryable(reason, 'MaintenanceFailed');

/** A search attribute holds 2 KB at most. */
const mostProjectsShown = 40;

/** MaintenanceProject: the projects that are waited for, for the list in Temporal Web UI. */
const awaitedProjectsDisplay = () => {
  let shown = '';
  return (projectIds: readonly string[]): void => {
    const list = projectIds.slice(0, mostProjectsShown);
    if (list.join() === shown) return;
    shown = list.join();
    upsertSearchAttributes([{ key: searchAttributes.project, value: [...list] }]);
  };
};

const continueAsNewWhenLong = async ({
  sessionId,
  state,
}: {
  sessionId: string;
  state: SessionState;
}): Promise<void> => {
  if (!workflowInfo().continueAsNewSuggested) return;
  const continueAsNew = makeContinueAsNewFunc<(input: SessionInput) => Promise<string>>({
    workflowType: workflowTypes.session,
  });
  await continueAsNew({ sessionId, from: { state, how: 'continue' } });
};
