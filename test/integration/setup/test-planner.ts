/** Plans in threads that run the TypeScript sources. */
import path from 'node:path';
import { createPlanner, type Planner, type PlannerOptions } from '../../../simulation/plan/planner';

const runTypeScript = path.resolve(__dirname, '../../run/run-typescript.cjs');

export const createTestPlanner = (options: Partial<PlannerOptions> = {}): Planner =>
  createPlanner({ atOnce: 2, limitSeconds: 60, ...options, execArgv: ['--require', runTypeScript] });
