/** The colours of states and phases. */
import type { HostPhase, Progress } from '../client/types';
import type { Tone } from './chip';

export const phaseTones: Readonly<Record<HostPhase, Tone>> = {
  waiting: 'plain',
  emptying: 'work',
  maintaining: 'busy',
  releasing: 'work',
  maintained: 'good',
  failed: 'bad',
  set_aside: 'bad',
  skipped: 'plain',
};

const progressTones: Readonly<Record<Progress['progress'], Tone>> = {
  scheduled: 'plain',
  running: 'work',
  closed: 'plain',
  paused: 'held',
  failing: 'bad',
  failed: 'bad',
  aborting: 'plain',
  aborted: 'plain',
  deleting: 'plain',
  done: 'good',
};

/** A session that is done is not good where hosts of it have failed. */
export const toneOf = ({ progress, hosts_by_phase: hosts }: Pick<Progress, 'progress' | 'hosts_by_phase'>): Tone =>
  progress === 'done' && hosts.set_aside > 0 ? 'bad' : progressTones[progress];
