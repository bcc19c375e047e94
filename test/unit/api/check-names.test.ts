/** Names of a create request that must exist, or that its packages may hold. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkNames, type KnownNames } from '../../../api/services/check-names';

const known: KnownNames = {
  workflows: new Map([
    ['default', ['MAINTENANCE', 'SCALE_IN']],
    ['vnf', ['MAINTENANCE']],
  ]),
  actionPlugins: new Set(['dummy', 'job', 'reboot']),
};
const now = new Date('2026-01-01T00:00:00Z');
const request = { maintenance_at: '2026-01-01 00:00:00', metadata: {} };
const download = ['https://packages.example.org/own-workflow.tgz'];

it.each([
  { what: 'a built-in workflow', workflow: 'default', state: 'SCALE_IN' },
  { what: 'a workflow that packages may hold', workflow: 'own', state: 'MAINTENANCE', download },
  { what: 'a cap on hosts for vnf', workflow: 'vnf', state: 'MAINTENANCE', max_parallel_hosts: 2 },
  { what: 'a cap that only the packages know', workflow: 'own', state: 'SOAKING', download, max_parallel_hosts: 2 },
  { what: 'a state that only the packages may know', workflow: 'own', state: 'SOAKING', download },
])('takes $what', (names) => {
  expect(checkNames({ ...request, ...names }, known, now)).toEqual([]);
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
  const errors = checkNames({ ...request, ...names }, known, now);
  expect(errors.map((error) => error.pointer)).toEqual([pointer]);
});

const image = 'registry.example.org/tools:1';
const ofHost = (plugin: string, metadata: object) => ({
  ...request,
  workflow: 'vnf',
  state: 'MAINTENANCE',
  actions: [{ plugin, type: 'host' as const, metadata: { ...metadata } }],
});

it.each([
  { plugin: 'job', metadata: { image, host_mounts: [{ host_path: '/', mount_path: '/host' }], timeout_seconds: 60 } },
  { plugin: 'reboot', metadata: { image } },
  { plugin: 'dummy', metadata: { seconds: 1 } },
])('takes the metadata of $plugin', ({ plugin, metadata }) => {
  expect(checkNames(ofHost(plugin, metadata), known, now)).toEqual([]);
});

it.each([
  { plugin: 'job', what: 'without an image', metadata: {} },
  { plugin: 'job', what: 'with an image beside a template', metadata: { image, template: { spec: {} } } },
  { plugin: 'reboot', what: 'with a field of neither', metadata: { image, force: true } },
])('refuses metadata of $plugin $what', ({ plugin, metadata }) => {
  const errors = checkNames(ofHost(plugin, metadata), known, now);
  expect(errors.map((error) => error.pointer)).toEqual(['/actions/0/metadata']);
});

it.each(['os-patch', 'kubelet-upgrade'])('takes the example %s', (name) => {
  const file = path.join(__dirname, '../../../examples/kubernetes', `${name}.json`);
  const body = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof checkNames>[0];
  expect(body.actions).not.toEqual([]);
  expect(checkNames(body, known, now)).toEqual([]);
});
