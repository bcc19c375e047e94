/**
 * The rest of a session as lanes: as much room as a host takes up is a lane, and hosts go through it one after the
 * other. Where there are hundreds of hosts, the end depends on how many go through each lane, and on which ones: four
 * short ones take as long as three long ones. So every lane is given as many turns as its time is worth, and hosts are
 * dealt to the lanes longest first, each to the one with the most time left for each of its turns.
 */
import { lowerBound } from '../live/lower-bound';

export interface Lanes {
  /** When each lane is free, in seconds from now, ascending: 0 for those that are. At least one. */
  readonly freeInSeconds: readonly number[];
  /** For how long each of the hosts that wait will take one up. Seconds, ascending. */
  readonly staySeconds: readonly number[];
}

interface Lane {
  readonly isFree: boolean;
  turns: number;
  secondsLeft: number;
}

/** Hosts that are dealt; of more, so many stand for all, unless that leaves too few lanes to deal them to. */
const mostDealt = 300;
const leastLanes = 30;

/** How long the hosts stay that should go, now or later, through the lanes that are free now. Ascending. */
export function staysInFreeLanes(lanes: Lanes): readonly number[] {
  const dealt = sampleOf(lanes);
  const levelSeconds = (sumOf(dealt.freeInSeconds) + sumOf(dealt.staySeconds)) / dealt.freeInSeconds.length;
  const first = deal(dealt, levelSeconds);
  // Nothing ends level. To aim half-way between that and where the first dealing ended turns out a little better.
  return deal(dealt, (levelSeconds + first.endSeconds) / 2).inFreeLanes;
}

/** Every n-th, of lanes and of hosts alike, the first lane always. */
function sampleOf({ freeInSeconds, staySeconds }: Lanes): Lanes {
  const widest = Math.floor(freeInSeconds.length / leastLanes);
  const step = Math.max(1, Math.min(widest, Math.ceil(staySeconds.length / mostDealt)));
  return {
    freeInSeconds: freeInSeconds.filter((_, position) => position % step === 0),
    staySeconds: staySeconds.filter((_, position) => position % step === step >> 1),
  };
}

interface Deal {
  readonly inFreeLanes: readonly number[];
  readonly endSeconds: number;
}

/** @param endSeconds when it is meant to end: it decides how many turns each lane has */
function deal(lanes: Lanes, endSeconds: number): Deal {
  const open = lanesWithTurns(lanes, endSeconds);
  const inFreeLanes: number[] = [];
  let leastLeft = endSeconds;
  for (const seconds of lanes.staySeconds.toReversed()) {
    const lane = open.pop();
    if (!lane) break;
    lane.secondsLeft -= seconds;
    lane.turns -= 1;
    leastLeft = Math.min(leastLeft, lane.secondsLeft);
    if (lane.isFree) inFreeLanes.push(seconds);
    if (lane.turns > 0) insert(lane, open, secondsATurn);
  }
  return { inFreeLanes: inFreeLanes.reverse(), endSeconds: endSeconds - leastLeft };
}

/**
 * One turn for every host, each where it leaves the most time for every turn of the lane; those with most time a turn
 * last.
 */
function lanesWithTurns({ freeInSeconds, staySeconds }: Lanes, endSeconds: number): Lane[] {
  const lanes = freeInSeconds.map((freeIn): Lane => {
    return { isFree: freeIn === 0, turns: 0, secondsLeft: endSeconds - freeIn };
  });
  const byNext = lanes.toReversed();
  for (let turn = 0; turn < staySeconds.length; turn += 1) {
    const lane = byNext.pop();
    if (!lane) break;
    lane.turns += 1;
    insert(lane, byNext, secondsOfNext);
  }
  return lanes.filter(({ turns }) => turns > 0).sort((one, other) => secondsATurn(one) - secondsATurn(other));
}

/** The list is in ascending order. */
function insert(lane: Lane, lanes: Lane[], secondsOf: (lane: Lane) => number): void {
  const seconds = secondsOf(lane);
  const place = lowerBound(lanes, (other) => secondsOf(other) < seconds);
  lanes.splice(place, 0, lane);
}

function secondsATurn({ secondsLeft, turns }: Lane): number {
  return secondsLeft / turns;
}

function secondsOfNext({ secondsLeft, turns }: Lane): number {
  return secondsLeft / (turns + 1);
}

function sumOf(seconds: readonly number[]): number {
  return seconds.reduce((sum, each) => sum + each, 0);
}
