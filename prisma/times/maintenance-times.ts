/** How long the maintenance of each host took in its last sessions. Rows outlive their sessions. */
import { createHash } from 'node:crypto';
import type { SeenMaintenance } from '../../rules/expectations/expected-times';
import { type KindOfHost, runsOn } from '../../rules/expectations/plugins-of-host';
import type { Queryable } from '../database';
import type { SessionHostRecord } from '../hosts/session-hosts';
import type { SessionAction } from '../session/session-progress';

/** Rows that are kept of each host, since sessions may differ in their actions. */
const rowsOfHost = 8;

export interface EndedMaintenance {
  /** The row before the end was recorded. */
  readonly host: SessionHostRecord;
  /** The session's. */
  readonly actions: readonly SessionAction[];
  readonly endedAt: Date;
}

/**
 * Records how long the host was in maintenance, in the transaction that records the end. A maintenance is left out when
 * a plug-in of it failed or was interrupted, or ran before the host failed: the next one will not take as long.
 */
export const recordMaintenanceTime = async (
  tx: Queryable,
  { host, actions, endedAt }: EndedMaintenance,
): Promise<void> => {
  const { sessionId, hostname, type, announcedAt, phaseSince } = host;
  if (announcedAt === null || announcedAt < phaseSince) return;
  const { plugins, digest } = describeActions(actions, host);
  const seconds = Math.max(0, endedAt.getTime() - announcedAt.getTime()) / 1000;
  await tx.$executeRaw`
    INSERT INTO maintenance_time (session_id, hostname, type, plugins, actions_digest, seconds, ended_at)
    SELECT ${sessionId}::uuid, ${hostname}, ${type}, ${plugins}, ${digest}, ${seconds}, ${endedAt}
    WHERE NOT EXISTS (
      SELECT 1 FROM action_plugin_instance
      WHERE session_id = ${sessionId}::uuid AND hostname = ${hostname}
        AND (attempts > 1 OR created_at < ${announcedAt})
    )
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM maintenance_time WHERE hostname = ${hostname} AND session_id NOT IN (
      SELECT session_id FROM maintenance_time WHERE hostname = ${hostname} ORDER BY ended_at DESC LIMIT ${rowsOfHost}
    )`;
};

export interface MaintenanceToPlan {
  readonly actions: readonly SessionAction[];
  /** Undefined: the session does not exist yet. */
  readonly sessionId?: string;
}

/**
 * Finds one row for each host: of this session, else of the last one with the same actions, else of the last session
 * with the same plug-ins and other metadata.
 */
export const findSeenMaintenances = (
  db: Queryable,
  { actions, sessionId }: MaintenanceToPlan,
): Promise<SeenMaintenance[]> => {
  const described = kindsOfHost.map((kind) => describeActions(actions, kind));
  const plugins = described.map((one) => one.plugins);
  const digests = described.map((one) => one.digest);
  return db.$queryRaw<SeenMaintenance[]>`
    SELECT DISTINCT ON (hostname) hostname, type, seconds, is_own AS "isOfThisSession",
      (extract(epoch FROM ended_at) * 1000)::float8 AS "endedAtMs"
    FROM maintenance_time, LATERAL (SELECT session_id IS NOT DISTINCT FROM ${sessionId ?? null}::uuid AS is_own) AS own
    WHERE plugins = ANY(${plugins}::text[])
    ORDER BY hostname, is_own DESC, actions_digest = ANY(${digests}::text[]) DESC, ended_at DESC`;
};

const kindsOfHost: readonly KindOfHost[] = (['compute', 'controller'] as const).flatMap((type) => [
  { type, isCompute: true },
  { type, isCompute: false },
]);

/** Describes the action plug-ins on such a host, with a digest of their metadata, which may be long or secret. */
const describeActions = (actions: readonly SessionAction[], host: KindOfHost) => {
  const own = actions
    .filter(({ type }) => runsOn(type, host))
    .map(({ type, plugin, metadata }) => ({ name: `${type}:${plugin}`, text: textOf(metadata) }))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
  const plugins = own.map(({ name }) => name).join(' ');
  const whole = JSON.stringify(own.map(({ name, text }) => [name, text]));
  return { plugins, digest: createHash('sha256').update(whole).digest('hex') };
};

/** JSON with its keys in order, so that the same metadata always give the same text. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
