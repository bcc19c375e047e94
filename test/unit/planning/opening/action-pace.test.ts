import { secondsOfAction } from '../../../../planning/opening/action-pace';
import { anInstance } from '../../../builders/a-fleet';

const seconds = (fields: Parameters<typeof anInstance>[0]): number => secondsOfAction(anInstance(fields));

it.each([
  { what: 'longer with more memory', less: { memoryMb: 4096 }, more: { memoryMb: 65_536 } },
  {
    what: 'longer where the manager has longer to answer',
    less: { leadTimeSeconds: 0 },
    more: { leadTimeSeconds: 60 },
  },
  {
    what: 'longer where it is stopped meanwhile',
    less: { migrationType: 'LIVE_MIGRATE' },
    more: { migrationType: 'MIGRATE' },
  },
] as const)('an action takes $what', ({ less, more }) => {
  expect(seconds(more)).toBeGreaterThan(seconds(less));
});

it.each(['EVICTION', 'OWN_ACTION'] as const)('%s copies no memory', (migrationType) => {
  expect(seconds({ migrationType, memoryMb: 65_536 })).toBe(seconds({ migrationType, memoryMb: 1024 }));
});
