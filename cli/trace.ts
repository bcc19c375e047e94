/**
 * `parley trace`: writes the course of a real session, in the form that simulations write and that the checker reads.
 */
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { settingsTable } from '../config/settings-table';
import type { Database } from '../prisma/database';
import { findSessionCourse } from '../prisma/session/session-trace';
import { fleetOf, type FleetPace } from './trace/session-fleet';
import { traceOf } from './trace/session-trace';

interface TraceOptions {
  readonly out?: string;
  readonly fleet?: string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const parseSession = (text: string): string => {
  if (uuidPattern.test(text)) return text;
  throw new InvalidArgumentError('the UUID of a session is needed.');
};

/** The service's own settings, from this environment. */
const paceIn = (env: NodeJS.ProcessEnv): FleetPace => {
  const { simSpeed, defaultImpactShare, projectReplySeconds } = settingsTable;
  return {
    speed: simSpeed.read(env[simSpeed.name]),
    impactShare: defaultImpactShare.read(env[defaultImpactShare.name]),
    replySeconds: projectReplySeconds.read(env[projectReplySeconds.name]),
  };
};

interface TraceToMake {
  readonly db: Database;
  readonly sessionId: string;
  readonly options: TraceOptions;
  readonly pace: FleetPace;
}

/**
 * @returns the text for standard output
 * @throws Error when the session does not exist
 */
const writeTrace = async ({ db, sessionId, options, pace }: TraceToMake): Promise<string> => {
  const course = await findSessionCourse(db, sessionId);
  if (course === undefined) throw new Error(`there is no session ${sessionId}, or it was deleted`);
  const text = traceOf(course)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');
  if (options.fleet !== undefined) await writeFile(options.fleet, JSON.stringify(await fleetOf(db, course, pace)));
  if (options.out === undefined) return text;
  await writeFile(options.out, text);
  return '';
};

export const addTraceCommand = (program: Command, open: () => Promise<Database>, env: NodeJS.ProcessEnv): void => {
  program
    .command('trace')
    .argument('<session>', 'the ID of the session', parseSession)
    .option('--out <file>', 'where to write the trace (default: standard output)')
    .option('--fleet <file>', 'where to write the simulated fleet as it was before, for checking the trace')
    .action(async (sessionId: string, options: TraceOptions) => {
      const db = await open();
      try {
        program.configureOutput().writeOut?.(await writeTrace({ db, sessionId, options, pace: paceIn(env) }));
      } finally {
        await db.$disconnect();
      }
    });
};
