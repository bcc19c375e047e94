/** How a command of `parley fleet` gets the database of the simulated cloud. */
import type { Database } from '../prisma/database';

/** The database for a command, open while it runs, and its output. */
export interface FleetTools {
  readonly db: Database;
  readonly say: (text: string) => void;
}
export type ServeFleet = (work: (tools: FleetTools) => Promise<void>) => Promise<void>;
