/** Plans in threads that run the TypeScript sources, with the time that a busy machine needs for that. */
import path from 'node:path';
import { createPlanner, type Planner, type PlannerOptions } from '../../../rules/simulation/plan/planner';

const runTypeScript = path.resolve(__dirname, '../../run/run-typescript.cjs');

export const createTestPlanner = (options: Partial<PlannerOptions> = {}): Planner =>
  createPlanner({ atOnce: 2, limitSeconds: 600, ...options, execArgv: ['--require', runTypeScript] });
