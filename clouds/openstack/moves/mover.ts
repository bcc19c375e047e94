/** What moving needs at hand. */
import type { Database } from '../../../prisma/database';
import type { WayCheck } from '../hosts/check-way';
import type { NovaApi } from '../nova/nova-api';

export interface Mover {
  readonly db: Database;
  readonly nova: NovaApi;
  /** Who we are to Nova. */
  readonly userId: () => Promise<string>;
  readonly checkWay: WayCheck;
  /** How long a move for which the scheduler finds no host is asked for again and again. */
  readonly noHostSeconds: number;
}
