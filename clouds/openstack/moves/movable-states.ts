/**
 * States in which Nova moves a server, and how (nova/compute/api.py): live_migrate takes ACTIVE and PAUSED; a cold
 * migration is a resize, which takes ACTIVE and SHUTOFF. What cannot move is said before anything on its host begins.
 */
import type { CannotMoveNow } from '../../../rules/cloud/departure';
import type { NovaServer } from '../nova/answers';
import { utcMs } from './nova-records';
import { hostOfServer, isBusy } from './server-state';

interface StateRow {
  readonly live: boolean;
  readonly cold: boolean;
  /** Why Nova moves it in neither way, and what helps. */
  readonly cannot?: CannotMoveNow;
}

const none = (owner: CannotMoveNow['owner'], because: string, help: string): StateRow => ({
  live: false,
  cold: false,
  cannot: { because, owner, help },
});

/** A state that is missing here is one that passes while Nova carries out a task. */
export const movableStates: Readonly<Record<string, StateRow>> = {
  ACTIVE: { live: true, cold: true },
  PAUSED: { live: true, cold: false },
  SHUTOFF: { live: false, cold: true },
  SUSPENDED: none('project', 'it is suspended', 'resume it (openstack server resume), or delete it'),
  RESCUE: none('project', 'it is in rescue mode', 'end the rescue (openstack server unrescue)'),
  ERROR: none(
    'operator',
    'Nova has set it to ERROR',
    'look for the fault (openstack server show), then reboot it hard, rebuild it or delete it',
  ),
  SHELVED: none(
    'project',
    'it is shelved, and its disk is still on the host',
    'unshelve it, or take it off the host (openstack server shelve --offload)',
  ),
  SOFT_DELETED: none(
    'project',
    'it is deleted softly, and its disk is still on the host',
    'restore it (openstack server restore), or delete it for good (openstack server delete --force)',
  ),
  BUILD: none('operator', 'it is being built', 'nothing has to be done: it can move when it is built'),
  VERIFY_RESIZE: none(
    'project',
    'it was resized, and waits for the confirmation of its owner',
    'confirm or revert it (openstack server resize confirm, or revert)',
  ),
};

/** A live migration after which the server may run at the target, although Nova shows it in ERROR on its source. */
export interface MayHaveLeft {
  readonly source: string;
  readonly target: string | null;
}

const mayRunTwice = ({ source, target }: MayHaveLeft): CannotMoveNow => ({
  because:
    `Nova has set it to ERROR on host ${source} after a live migration to ${target === null ? 'another host' : `host ${target}`} ` +
    'had begun: it may run there',
  owner: 'operator',
  help:
    'find out on which of the two hosts it runs, and put the record of Nova right; do not reset its state, reboot or move ' +
    'it before, because it could then run twice',
});

/** The milliseconds after which a server that is still being built has probably got stuck. */
const longestBuildMs = 10 * 60_000;

/**
 * @param isOurs true when a move of this service is under way: it is confirmed, or forced where it broke the server, by
 *   whoever watches that move
 * @param mayHaveLeft the last move of this service after which nobody knew where the server runs
 */
export const cannotMoveNow = (
  server: NovaServer,
  isOurs: boolean,
  mayHaveLeft?: MayHaveLeft,
): CannotMoveNow | undefined => {
  if (isOurs || (isBusy(server) && server.status !== 'BUILD')) return undefined;
  if (mayHaveLeft !== undefined && isThereInError(server, mayHaveLeft)) return mayRunTwice(mayHaveLeft);
  const cannot = movableStates[server.status]?.cannot;
  return cannot === undefined || server.status !== 'BUILD' ? cannot : untilBuilt(server, cannot);
};

const isThereInError = (server: NovaServer, { source }: MayHaveLeft): boolean =>
  server.status === 'ERROR' && hostOfServer(server) === source;

const untilBuilt = ({ created }: NovaServer, cannot: CannotMoveNow): CannotMoveNow => {
  if (created == null) return cannot;
  const passesAtMs = utcMs(created) + longestBuildMs;
  return Number.isNaN(passesAtMs) ? cannot : { ...cannot, passesAtMs };
};
