/** Plans in threads that run TypeScript as it is. */
import path from 'node:path';
import { createPlanner, type Planner, type PlannerOptions } from '../../../simulation/plan/planner';

const runTypeScript = path.resolve(__dirname, '../../run/run-typescript.cjs');

export const createTestPlanner = (options: PlannerOptions = {}): Planner =>
  createPlanner({ ...options, execArgv: ['--require', runTypeScript] });
