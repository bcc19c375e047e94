/** Makes the plan of a session before `parley create` creates it, and names what would stop the session. */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import type { CreateSessionBody } from '../../api/schemas/session-schemas';
import type { Api } from './api';
import { confirmByName } from './command-tools';
import type { Console } from './console';
import { RefusedByApi } from './exit';
import { looksOf } from './output';
import { blockerLines } from './render/blockers';
import { isForEveryHost } from './session-request';

export interface ToBeCreated {
  readonly api: Api;
  readonly request: CreateSessionBody;
  /** Nothing is asked. */
  readonly yes: boolean;
}

const everyHost = { what: 'create a session for every host of the cloud', name: 'all' };
const stopped = { what: 'create a session that its plan does not bring to its end', name: 'create' };

export const lookBefore = async (
  { console }: { readonly console: Console },
  { api, request, yes }: ToBeCreated,
): Promise<void> => {
  const isForAll = isForEveryHost(request);
  const ask = (about: typeof everyHost): Promise<void> => confirmByName({ console }, { ...about, yes });
  if (isForAll && !console.isAnswerable) await ask(everyHost);
  const plan = await planOf({ console, api, request });
  const isStopped = plan !== undefined && tellBlockers(console, plan);
  if (!console.isAnswerable) return;
  if (isForAll) await ask(everyHost);
  else if (isStopped) await ask(stopped);
};

/** The API refuses to create a session that these stop, in words of its own. */
const refused: readonly PlanBody['blockers'][number]['kind'][] = ['host_of_another_session', 'too_many_sessions'];

/** @returns whether the session would not come to its end */
const tellBlockers = (console: Console, { blockers, completes }: PlanBody): boolean => {
  const told = blockers.filter(
    ({ kind, severity }) => (severity === 'stops' || kind === 'nothing_maintained') && !refused.includes(kind),
  );
  const isStopped = !completes && told.some(({ severity }) => severity === 'stops');
  const title = isStopped ? ['By its plan the session would not come to its end:'] : [];
  for (const line of [...title, ...blockerLines(told, looksOf(console))]) console.err(`${line}\n`);
  return isStopped;
};

interface Planned extends Pick<ToBeCreated, 'api' | 'request'> {
  readonly console: Console;
}

/** undefined: no plan can be made now; the session may be created all the same. */
const planOf = async ({ console, api, request }: Planned): Promise<PlanBody | undefined> => {
  try {
    return await api.plan(request);
  } catch (error) {
    if (!(error instanceof RefusedByApi)) throw error;
    // The API refuses a wrong request again, and answers with the session that the same request has created before.
    if (error.problem.status >= 500) console.err(`No plan tells what would stop the session: ${error.message}\n`);
    return undefined;
  }
};
