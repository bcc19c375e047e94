/**
 * Several sessions of one fleet, told as stories that all run at once, each on a zone of its own (builders/a-zone.ts):
 * waiting for windows and timers costs the time of the longest story, not the sum. Afterwards the whole trace is
 * judged.
 */
import { waitAtMost } from '../../../calls/time-limit';
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import type { Database } from '../../../prisma/database';
import { aFleetOfZones, type Zone } from '../../builders/a-zone';
import type { Violation } from '../../checker/trace';
import { type Admin, anAdmin } from './admin';
import { type EventLog, keepEventLog } from './event-log';
import { type Manager, type PlannedEvent, type Policy, startManager } from './manager';
import { endReplyWindowOf } from './reply-windows';
import { type Rig, startRig } from './rig';

export interface Stage {
  readonly rig: Rig;
  readonly db: Database;
  readonly admin: Admin;
  readonly events: EventLog;
  readonly manage: (projectId: string, policy: Policy) => Manager;
}

type Telling = (stage: Stage) => Promise<void>;

export interface SideBySideOptions {
  readonly zones: readonly Zone[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Action plug-ins beside the built-in ones. */
  readonly actionPlugins?: readonly ActionPlugin[];
  /** The share of groups without constraints, as in the workflow `vnf`; left out: one member at a time. */
  readonly impactShare?: number;
}

/**
 * There is always a worker: on a slow machine a session's workflow only takes its time. A client of HTTP waits five
 * minutes at most.
 */
const answerWithinMs = 240_000;
const endsWithinMs = 10_000;
/** The share of a group's members without constraints. */
const oneAtATime = 0;

export const tellSideBySide = (options: SideBySideOptions) => {
  const { zones, environment = {}, actionPlugins = [], impactShare = oneAtATime } = options;
  const stories = new Map<string, Telling>();
  const running = new Map<string, Promise<void>>();
  const managers: Manager[] = [];
  let rig: Rig | undefined;
  let stage: Stage | undefined;

  beforeAll(async () => {
    const changes = { PARLEY_MAX_SESSIONS: '30', ...environment };
    const fleet = aFleetOfZones(zones);
    rig = await startRig({ fleet, environment: changes, actionPlugins, impactShare, answerWithinMs });
    const opened = openStage(rig, managers);
    stage = opened;
    for (const [name, telling] of stories) {
      const told = telling(opened);
      told.catch(() => undefined); // its own test reports it
      running.set(name, told);
    }
  });

  afterAll(async () => {
    // Each has been waited for by its own test: one that hangs would hold up the end for as long again.
    await waitAtMost(Promise.allSettled(running.values()), endsWithinMs);
    stage?.events.stop();
    for (const manager of managers) manager.stop();
    await rig?.stop();
  });

  return {
    /** A test of its own, which begins together with all others of the file. */
    story: (name: string, telling: Telling): void => {
      stories.set(name, telling);
      it(name, () => running.get(name) ?? Promise.reject(new Error('the stage could not be opened')));
    },
    /** The file's last test. `isExpected`: a violation that others than the service caused, as the stories tell. */
    judgeTrace: ({ isExpected = () => false }: { readonly isExpected?: (one: Violation) => boolean } = {}): void => {
      it('keeps budgets, recovery times, capacity and anti-affinity at every instant, over all these sessions', async () => {
        await Promise.allSettled(running.values());
        expect((await rig!.violations()).filter((one) => !isExpected(one))).toEqual([]);
      });
    },
  };
};

const openStage = (rig: Rig, managers: Manager[]): Stage => ({
  rig,
  db: rig.db,
  admin: anAdmin(rig.url),
  events: keepEventLog(rig.url),
  manage(projectId, policy) {
    const endWindow = ({ message_id: messageId }: PlannedEvent) => endReplyWindowOf(rig, messageId);
    const manager = startManager({ url: rig.url, projectId, policy, endWindow });
    managers.push(manager);
    return manager;
  },
});
