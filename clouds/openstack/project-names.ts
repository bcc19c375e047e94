/**
 * Names of projects, from Keystone. They are for people only: after any failure a project stays without its name, and
 * nobody waits for long.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { createShortMemory } from '../../calls/short-memory';
import { waitAtMost } from '../../calls/time-limit';
import type { Exchange } from '../http/exchange';
import { type ServiceTokens, withServiceToken } from '../keystone/service-tokens';

export type ProjectNames = (projectIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export interface ProjectNamesOptions {
  /** Ends in /v3. */
  readonly authUrl: string;
  readonly tokens: ServiceTokens;
  readonly exchange: Exchange;
  /** The time that a caller waits. A name that comes later is there for the next caller. */
  readonly waitMs?: number;
  readonly nowMs?: () => number;
}

const knownForMs = 600_000;
/** Applies when Keystone is down, refuses the service, or has no such project. */
const unknownForMs = 60_000;
/** Names that are kept, of about 200 bytes each. */
const mostKept = 5_000;
const mostAskedAtOnce = 20;

const AnswerSchema = Type.Object({ project: Type.Object({ name: Type.String() }) });

interface KeptName {
  name: string | undefined;
  untilMs: number;
  readonly asked: Promise<void>;
}

export const createProjectNames = (options: ProjectNamesOptions): ProjectNames => {
  const { waitMs = 1_000, nowMs = Date.now } = options;
  const kept = createShortMemory<string, KeptName>(mostKept, nowMs);

  const ask = (projectId: string): void => {
    const before = kept.find(projectId)?.name;
    const asked = nameOf(options, projectId).then((name) => {
      entry.name = name ?? before;
      entry.untilMs = nowMs() + (name === undefined ? unknownForMs : knownForMs);
    });
    const entry: KeptName = { name: before, untilMs: Infinity, asked };
    kept.keep(projectId, entry);
  };

  return async (projectIds) => {
    const wanted = [...new Set(projectIds)];
    const isKnown = (projectId: string): boolean => (kept.find(projectId)?.untilMs ?? 0) > nowMs();
    wanted
      .filter((projectId) => !isKnown(projectId))
      .slice(0, mostAskedAtOnce)
      .forEach(ask);
    await waitAtMost(Promise.all(wanted.flatMap((projectId) => kept.find(projectId)?.asked ?? [])), waitMs);
    return new Map(
      wanted.flatMap((projectId): [string, string][] => {
        const name = kept.find(projectId)?.name;
        return name === undefined ? [] : [[projectId, name]];
      }),
    );
  };
};

/** Undefined when Keystone does not tell it, for any reason. */
const nameOf = async (options: ProjectNamesOptions, projectId: string): Promise<string | undefined> => {
  const { authUrl, tokens, exchange } = options;
  const url = `${authUrl}/projects/${encodeURIComponent(projectId)}`;
  try {
    const answer = await withServiceToken(tokens, ({ secret }) =>
      exchange({ method: 'GET', url, headers: { 'x-auth-token': secret } }),
    );
    return Value.Check(AnswerSchema, answer.body) ? nameIn(answer.body) : undefined;
  } catch {
    return undefined;
  }
};

const nameIn = ({ project }: Static<typeof AnswerSchema>): string => project.name;
