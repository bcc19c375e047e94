/** The rows of a session under way over the whole simulated cloud, as its workers would have left them. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../prisma/database';

/** The phases of a hundred hosts, in the alphabetical order of the hosts. */
const phases = { maintained: 60, maintaining: 2, emptying: 3 } as const;

/** @returns the session's ID */
export const storeSession = async (db: Database): Promise<string> => {
  const id = randomUUID();
  await db.session.create({
    data: {
      id,
      workflow: 'vnf',
      initialState: 'MAINTENANCE',
      state: 'PLANNED_MAINTENANCE',
      metadata: {},
      prevState: 'START_MAINTENANCE',
      actions: [{ plugin: 'dummy', type: 'host', metadata: {} }],
      maintenanceAt: hoursAgo(6),
      begunAt: hoursAgo(6),
      startedAt: hoursAgo(6),
      createdAt: hoursAgo(7),
    },
  });
  await storeHosts(db, id);
  await storeInstances(db, id);
  await storeQuestions(db, id);
  await storeTimes(db, id);
  // The tables are new, and the planner of PostgreSQL knows nothing of them yet.
  await db.$executeRawUnsafe('VACUUM ANALYZE');
  return id;
};

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

const storeHosts = async (db: Database, id: string): Promise<void> => {
  const emptying = phases.maintained + phases.maintaining;
  await db.$executeRaw`
    INSERT INTO session_host (id, session_id, hostname, type, is_compute, phase, phase_since, maintained, disabled)
    SELECT gen_random_uuid(), ${id}::uuid, name, type, is_compute, phase, now() - interval '5 minutes',
      phase = 'maintained', phase IN ('maintaining', 'emptying')
    FROM (
      SELECT name, type, is_compute, CASE
        WHEN place < ${phases.maintained} THEN 'maintained'
        WHEN place < ${emptying} THEN 'maintaining'
        WHEN place < ${emptying + phases.emptying} THEN 'emptying'
        ELSE 'waiting' END AS phase
      FROM (SELECT *, 100.0 * row_number() OVER (ORDER BY name) / count(*) OVER () AS place FROM sim_host) AS placed
    ) AS hosts`;
  await db.$executeRaw`
    UPDATE session SET waiting = (
      SELECT jsonb_agg(jsonb_build_object('waitingFor', 'room', 'who', hostname, 'subject', '8 vcpus on ' || hostname))
      FROM session_host WHERE session_id = ${id}::uuid AND phase = 'waiting'
    ) WHERE id = ${id}::uuid`;
};

const storeInstances = (db: Database, id: string): Promise<number> => db.$executeRaw`
  INSERT INTO session_instance (id, session_id, instance_id, instance_name, project_id, host, state, project_state)
  SELECT gen_random_uuid(), ${id}::uuid, instance_id, instance_name, project_id, host, state, 'INSTANCE_ACTION_DONE'
  FROM sim_instance`;

/** Instances of hosts that are done were asked about once; those of hosts that are drained are asked, or move, now. */
const storeQuestions = async (db: Database, id: string): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO question (id, session_id, project_id, instance_id, hostname, state, instance_ids, allowed_actions,
      window_seconds, status, message_id, created_at, asked_at, reply_at, answer, answered_at)
    SELECT gen_random_uuid(), ${id}::uuid, i.project_id, i.instance_id, i.host, 'PLANNED_MAINTENANCE',
      jsonb_build_array(i.instance_id), '["LIVE_MIGRATE", "MIGRATE"]', 600,
      CASE WHEN h.phase = 'emptying' THEN 'open' ELSE 'answered' END, gen_random_uuid(), now() - interval '1 minute',
      now() - interval '1 minute', now() + interval '9 minutes',
      CASE WHEN h.phase = 'emptying' THEN NULL ELSE 'ACK' END, CASE WHEN h.phase = 'emptying' THEN NULL ELSE now() END
    FROM session_instance i JOIN session_host h ON h.session_id = i.session_id AND h.hostname = i.host
    WHERE i.session_id = ${id}::uuid AND h.phase IN ('maintained', 'emptying')`;
  await db.$executeRaw`
    INSERT INTO claim (id, session_id, instance_id, instance_name, project_id, group_key, source, target, action, amounts,
      phase, recovery_time, started_at)
    SELECT gen_random_uuid(), ${id}::uuid, i.instance_id, i.instance_name, i.project_id, i.id::text, i.host, 'compute-0',
      'LIVE_MIGRATE', '{"VCPU": 1, "MEMORY_MB": 1}', 'moving', 60, now()
    FROM session_instance i JOIN session_host h ON h.session_id = i.session_id AND h.hostname = i.host
    WHERE i.session_id = ${id}::uuid AND h.phase = 'emptying'`;
};

/** The times of earlier sessions and of this one: as many rows as the service keeps for a project. */
const storeTimes = async (db: Database, id: string): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO maintenance_time (session_id, hostname, type, plugins, actions_digest, seconds, ended_at)
    SELECT ${id}::uuid, hostname, type, 'host:dummy', '', 700, now()
    FROM session_host WHERE session_id = ${id}::uuid AND phase = 'maintained'`;
  await db.$executeRaw`
    INSERT INTO move_time (claim_id, project_id, action, seconds, ended_at)
    SELECT gen_random_uuid(), project_id, 'LIVE_MIGRATE', 20, now() FROM session_instance WHERE session_id = ${id}::uuid`;
  await db.$executeRaw`
    INSERT INTO answer_time (question_id, project_id, state, seconds, ended_at)
    SELECT gen_random_uuid(), project_id, state, 5, now() FROM question WHERE session_id = ${id}::uuid`;
};
