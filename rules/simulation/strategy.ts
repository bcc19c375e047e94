/** The strategies that a simulation compares, all under the same rules. */
import type { VnfLimits } from '../decisions/both-workflows/session-facts';
import { usualImpactShare } from '../decisions/limits/default-impact';
import type { FileFleet } from './file-fleet';

/** vnf: as many hosts at once as is safe. serial: one after the other. batch: a tenth of the hosts at once. */
export const strategies = ['vnf', 'serial', 'batch'] as const;
export type Strategy = (typeof strategies)[number];

const batchShare = 0.1;

export const limitsOfStrategy = (strategy: Strategy, { hosts }: FileFleet): VnfLimits => {
  const limits = { defaultImpactShare: usualImpactShare };
  switch (strategy) {
    case 'vnf':
      return limits;
    case 'serial':
      return { ...limits, maxParallelHosts: 1 };
    case 'batch':
      return { ...limits, maxParallelHosts: Math.max(1, Math.round(batchShare * hosts.length)) };
  }
};
