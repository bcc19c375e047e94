/** Makes plans in threads: a bounded number at once, each within a time limit. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plan, PlanInput } from './plan';

export type PlanOutcome =
  | { readonly kind: 'planned'; readonly plan: Plan }
  /** The answer when as many plans are being made as is allowed. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'tooLong'; readonly seconds: number };

/** background: nobody waits for it, so it takes no place of those that are asked for, and there is one at once. */
export type PlanRank = 'asked' | 'background';

export interface Planner {
  /** @throws what the plan threw */
  readonly plan: (input: PlanInput, rank?: PlanRank) => Promise<PlanOutcome>;
}

export interface PlannerOptions {
  /** PARLEY_PLANS_AT_ONCE: one more is `busy`. */
  readonly atOnce: number;
  /** PARLEY_PLAN_SECONDS: a plan that takes longer is given up. */
  readonly limitSeconds: number;
  /** Options of Node.js for the threads; tests run the TypeScript sources. */
  readonly execArgv?: readonly string[];
}

/** The program of the thread lies beside this file, compiled or not like it. */
const threadFile = path.join(__dirname, `plan-thread${path.extname(__filename)}`);

/** Far more than a plan of thousands of hosts needs; it keeps a faulty one from taking the whole machine. */
const mostMemoryMb = 2_048;

export const createPlanner = ({ atOnce, limitSeconds, execArgv = [] }: PlannerOptions): Planner => {
  const most = { asked: atOnce, background: 1 };
  const running = { asked: 0, background: 0 };
  return {
    plan: async (input, rank = 'asked') => {
      if (running[rank] >= most[rank]) return { kind: 'busy' };
      running[rank] += 1;
      try {
        return await planInThread(input, { limitSeconds, execArgv });
      } finally {
        running[rank] -= 1;
      }
    },
  };
};

const planInThread = async (
  input: PlanInput,
  { limitSeconds, execArgv }: Required<Pick<PlannerOptions, 'limitSeconds' | 'execArgv'>>,
): Promise<PlanOutcome> => {
  const resourceLimits = { maxOldGenerationSizeMb: mostMemoryMb };
  const worker = new Worker(threadFile, { workerData: input, execArgv: [...execArgv], resourceLimits });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<PlanOutcome>((resolve, reject) => {
      timer = setTimeout(() => resolve({ kind: 'tooLong', seconds: limitSeconds }), limitSeconds * 1000);
      worker.once('message', (plan: Plan) => resolve({ kind: 'planned', plan }));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread of a plan ended without one')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};
