/** The times that a plan expects, and how far they may be off. */
import { keyOf } from '../../cloud/id';
import type { Instance } from '../../decisions/fleet/fleet';
import type { UsualTimes } from '../../decisions/fleet/usual-times';
import { expectedTimes, type SeenTimes } from '../../expectations/expected-times';
import { secondsTold, type TimedPlugin } from '../../expectations/plugins-of-host';
import type { Times } from '../times';
import type { HostInCloud } from './plan';

/**
 * quick: managers answer at once, also those that were silent so far, instances that end by themselves do so, and all
 * else is quicker than expected. slow: nobody answers, and all else lasts.
 */
export type Pace = 'quick' | 'expected' | 'slow';

/** Times that were seen vary within this share; times that are only usual vary within more. */
const shareOf: Readonly<Record<Pace, { readonly seen: number; readonly usual: number }>> = {
  quick: { seen: 0.85, usual: 0.5 },
  expected: { seen: 1, usual: 1 },
  slow: { seen: 1.15, usual: 2 },
};

/** A project that leaves more of its questions without an answer is expected to be silent. */
const mostlySilent = 0.5;

export interface ExpectedPace extends Times {
  /** The time until a reply to a question to the whole project. Milliseconds; null: it is silent. */
  readonly projectAnswerMs: (projectId: string, windowSeconds: number) => number | null;
  readonly isSilent: (projectId: string) => boolean;
}

interface Expecting {
  readonly seen: SeenTimes;
  readonly usual: UsualTimes;
  readonly cloudHosts: readonly HostInCloud[];
  readonly actions: readonly TimedPlugin[];
  /** True where a silence has consequences: then only projects that are expected to be silent are. */
  readonly actsOnSilence?: boolean;
}

export const expectedPace = (
  { seen, usual, cloudHosts, actions, actsOnSilence = false }: Expecting,
  pace: Pace,
): ExpectedPace => {
  const expected = expectedTimes(seen, usual, actions);
  const shares = shareOf[pace];
  const told = new Set(
    cloudHosts.flatMap(({ name, maintenanceSeconds }) => (maintenanceSeconds === undefined ? [] : [name])),
  );
  const maintained = new Set(seen.maintenances.map(({ type }) => type));
  const moved = new Set(seen.moves.map(({ projectId, action }) => `${action} ${keyOf(projectId)}`));
  const silent = new Set(
    seen.answers.filter(({ silentShare }) => silentShare > mostlySilent).map(({ projectId }) => keyOf(projectId)),
  );
  const isSilent = (projectId: string): boolean => silent.has(keyOf(projectId));
  const projectAnswerMs = (projectId: string, windowSeconds: number): number | null => {
    if (pace === 'quick') return 0;
    if (isSilent(projectId)) return null;
    if (pace === 'slow') return actsOnSilence ? toMs(windowSeconds) : null;
    return toMs(Math.min(windowSeconds, expected.answerSeconds({ projectId, windowSeconds })));
  };
  return {
    isSilent,
    projectAnswerMs,
    waitsForEnds: pace !== 'quick',
    answerMs: ({ projectId, byTerms }, windowSeconds) =>
      byTerms?.atOnce === true ? 0 : projectAnswerMs(projectId, windowSeconds),
    moveMs: (instance: Instance, action) => {
      const isSeen = instance.expectedMoveSeconds !== undefined || moved.has(`${action} ${keyOf(instance.projectId)}`);
      return toMs(expected.moveSeconds(instance, action) * (isSeen ? shares.seen : shares.usual));
    },
    maintenanceMs: (host) => {
      const seconds = expected.maintenanceSeconds(host);
      const isSeen = secondsTold(actions, host) !== undefined || told.has(host.name) || maintained.has(host.type);
      return toMs(seconds * (isSeen ? shares.seen : shares.usual));
    },
  };
};

/** The time of `pre` or `post` plug-ins; a plug-in without a known time counts as nothing. */
export const secondsOfOnce = (actions: readonly TimedPlugin[], type: 'pre' | 'post'): number =>
  actions.filter((action) => action.type === type).reduce((sum, { seconds = 0 }) => sum + seconds, 0);

const toMs = (seconds: number): number => Math.round(seconds * 1000);
