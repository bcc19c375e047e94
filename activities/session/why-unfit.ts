/** Decides whether a workflow in a session's packages, which would run, suits the session. */
import type { SessionProgress } from '../../prisma/session/session-progress';
import { asksInstances, limitsAtOnce } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { CheckedWorkflow } from '../../temporal/workflow-messages';

type AskedSession = Pick<
  SessionProgress,
  'workflow' | 'initialState' | 'maxParallelHosts' | 'maxParallelPer' | 'oneDomainAtATime'
>;
type FittingWorkflow = CheckedWorkflow & { readonly kind: 'fits' };

/** @returns the reason against it, for a sentence that begins with the workflow's name; undefined when it suits */
export const whyUnfit = (
  { workflow, initialState, ...session }: AskedSession,
  { states, rolling }: FittingWorkflow,
): string | undefined => {
  if (!states.includes(initialState)) return `cannot begin in ${initialState}: its states are ${states.join(', ')}`;
  const [limit] = limitsAtOnce.filter(([name]) => session[name] !== null);
  if (limit === undefined || asksInstances({ workflow, rolling })) return undefined;
  return `empties one host at a time: ${limit[1]} is for vnf`;
};
