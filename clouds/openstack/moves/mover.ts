/** The services and settings that moving needs. */
import type { Database } from '../../../prisma/database';
import type { WayCheck } from '../hosts/check-way';
import type { NovaApi } from '../nova/nova-api';
import type { KeptProgress } from './kept-progress';
import type { LookAtMoving } from './look-at-moving';

export interface Mover {
  readonly db: Database;
  readonly nova: NovaApi;
  /** Finds a server that is expected to be on its way, as `nova.findServer` does. */
  readonly lookAtMoving: LookAtMoving;
  readonly progress: KeptProgress;
  /** The service's own user in Nova. */
  readonly userId: () => Promise<string>;
  readonly checkWay: WayCheck;
  /** True while a move is to end, so that nobody asks for it again. */
  readonly isEnding?: true;
  /** The time for which a move is requested again while Nova's scheduler finds no host. */
  readonly noHostSeconds: number;
  /** The largest number of moves in flight from or to a host; 0: no bound. */
  readonly movesPerHost: number;
}
