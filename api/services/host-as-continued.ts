/** A host of a session that has failed, as it would be if the session went on now (`reviveSession`). */
import type { Host, HostWork } from '../../rules/decisions/fleet/fleet';

/** @param isToBeSkipped it was skipped meanwhile, and is enabled first */
export const hostAsContinued = (host: Host, isToBeSkipped: boolean): Host => {
  const { work } = host;
  if (work === undefined) return host;
  if (isToBeSkipped && isHeldBack(work)) return { ...host, work: { ...revived(work), phase: 'releasing' } };
  if (work.phase === 'set_aside') return host;
  return { ...host, work: work.phase === 'failed' ? { ...revived(work), phase: 'waiting' } : revived(work) };
};

const revived = (work: HostWork): HostWork => {
  const anew: { -readonly [Field in keyof HostWork]: HostWork[Field] } = { ...work, releases: 0 };
  delete anew.failure;
  return anew;
};

const isHeldBack = ({ phase }: HostWork): boolean => phase === 'failed' || phase === 'waiting' || phase === 'set_aside';
