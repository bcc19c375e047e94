import { whyUnfit } from '../../../../activities/session/why-unfit';

const noDomains = { maxParallelPer: null, oneDomainAtATime: null };
const session = { workflow: 'own', initialState: 'MAINTENANCE', maxParallelHosts: null, ...noDomains };
const own = { kind: 'fits', states: ['MAINTENANCE', 'TRYING'], rolling: 'default' } as const;

it.each([
  { situation: 'has the state that the session begins in', asked: {}, found: {} },
  { situation: 'has this state as one of its own', asked: { initialState: 'TRYING' }, found: {} },
  {
    situation: 'asks about instances, under a cap on hosts',
    asked: { maxParallelHosts: 2 },
    found: { rolling: 'vnf' },
  },
] as const)('a workflow that $situation suits the session', ({ asked, found }) => {
  expect(whyUnfit({ ...session, ...asked }, { ...own, ...found })).toBeUndefined();
});

it.each([
  {
    situation: 'lacks the state that the session begins in',
    asked: { initialState: 'PLANNED_MAINTENANCE' },
    because: 'cannot begin in PLANNED_MAINTENANCE: its states are MAINTENANCE, TRYING',
  },
  {
    situation: 'empties one host at a time, under a cap on hosts',
    asked: { maxParallelHosts: 2 },
    because: 'empties one host at a time: max_parallel_hosts is for vnf',
  },
  {
    situation: 'empties one host at a time, one rack at a time',
    asked: { oneDomainAtATime: 'rack' },
    because: 'empties one host at a time: one_domain_at_a_time is for vnf',
  },
])('a workflow that $situation is unfit, and says so', ({ asked, because }) => {
  expect(whyUnfit({ ...session, ...asked }, own)).toBe(because);
});
