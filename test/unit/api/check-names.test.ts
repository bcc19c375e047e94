/** Names of a create request that must exist, or that its packages may hold. */
import { checkNames, type KnownNames } from '../../../api/services/check-names';

const known: KnownNames = {
  workflows: new Map([
    ['default', ['MAINTENANCE', 'SCALE_IN']],
    ['vnf', ['MAINTENANCE']],
  ]),
  actionPlugins: new Set(['dummy']),
};
const request = { maintenance_at: '2026-01-01 00:00:00', metadata: {} };
const download = ['https://packages.example.org/own-workflow.tgz'];

it.each([
  { what: 'a built-in workflow', workflow: 'default', state: 'SCALE_IN' },
  { what: 'a workflow that packages may hold', workflow: 'own', state: 'MAINTENANCE', download },
  { what: 'a cap on hosts for vnf', workflow: 'vnf', state: 'MAINTENANCE', max_parallel_hosts: 2 },
  { what: 'a cap that only the packages know', workflow: 'own', state: 'SOAKING', download, max_parallel_hosts: 2 },
  { what: 'a state that only the packages may know', workflow: 'own', state: 'SOAKING', download },
])('takes $what', (names) => {
  expect(checkNames({ ...request, ...names }, known)).toEqual([]);
});

it.each([
  { what: 'an unknown workflow', workflow: 'own', state: 'MAINTENANCE', pointer: '/workflow' },
  {
    what: 'a path as a workflow of packages',
    workflow: '../own',
    state: 'MAINTENANCE',
    download,
    pointer: '/workflow',
  },
  {
    what: 'a cap on hosts where one is drained at a time',
    workflow: 'default',
    state: 'MAINTENANCE',
    max_parallel_hosts: 1,
    pointer: '/max_parallel_hosts',
  },
  { what: 'a state that the workflow lacks', workflow: 'default', state: 'SOAKING', pointer: '/state' },
  {
    what: 'the end, of a workflow of packages',
    workflow: 'own',
    state: 'MAINTENANCE_DONE',
    download,
    pointer: '/state',
  },
  {
    what: 'failure, of a workflow of packages',
    workflow: 'own',
    state: 'MAINTENANCE_FAILED',
    download,
    pointer: '/state',
  },
  { what: 'a state that nobody can reply to', workflow: 'own', state: 'soaking 2', download, pointer: '/state' },
])('refuses $what', ({ what: _what, pointer, ...names }) => {
  const errors = checkNames({ ...request, ...names }, known);
  expect(errors.map((error) => error.pointer)).toEqual([pointer]);
});
