/** One session over all nodes, and the one manager that answers what projects are asked. */
import { setTimeout as pause } from 'node:timers/promises';
import { createAdminClient } from '../../../cli/demo/admin-client';
import { startManager } from '../../../dev/bench/manager';
import { createSession } from '../../../dev/bench/session';

export interface SessionOverNodes {
  readonly hosts: readonly string[];
  readonly workflow: string;
  readonly maintenanceSeconds: number;
  readonly signal: AbortSignal;
  /** Told what has changed, in a line. */
  readonly tell?: (line: string) => void;
}

const pollMs = 500;

/**
 * @returns the seconds from its creation to its end
 * @throws Error when it fails
 */
export const maintainNodes = async (api: string, given: SessionOverNodes): Promise<number> => {
  const { signal, tell = () => undefined, ...request } = given;
  const admin = createAdminClient(api);
  const begunMs = Date.now();
  const sessionId = await createSession(api, { ...request, startsAt: new Date() });
  const manager = startManager(api, (id) => id === sessionId);
  try {
    for (let told = ''; ;) {
      const { state, percent_done, session } = await admin.detailOf(sessionId);
      const line = `${String(percent_done).padStart(3)} %  ${state}`;
      if (line !== told) tell(line);
      told = line;
      if (state === 'MAINTENANCE_DONE') return (Date.now() - begunMs) / 1000;
      if (state === 'MAINTENANCE_FAILED')
        throw new Error(`the session failed: ${session.failure ?? 'no reason given'}`);
      await pause(pollMs, undefined, { signal });
    }
  } finally {
    await manager.stop();
  }
};
