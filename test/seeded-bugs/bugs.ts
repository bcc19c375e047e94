/** The bugs, by the folder that they are in. Texts to find are short, so that other changes seldom touch them. */
import type { SeededBug } from './seeded-bug';

const api: readonly SeededBug[] = [
  {
    bug: "a domain's admin counts as admin of the service",
    file: 'api/identity/keystone-principal.ts',
    find: "scope.kind === 'system' || (scope.kind === 'project' && mayBeAdminProject)",
    replace: "scope.kind !== 'project' || mayBeAdminProject",
    tests: ['test/unit/api/keystone-principal.test.ts'],
  },
  {
    bug: 'a token that has ended is let in as long as its answer is kept',
    file: 'api/identity/token-cache.ts',
    find: 'Math.min(askedMs + maxAgeMs, value.expiresAtMs)',
    replace: 'askedMs + maxAgeMs',
    tests: ['test/unit/api/token-cache.test.ts'],
  },
  {
    bug: 'February 30 is taken for March 2',
    file: 'api/maintenance-time.ts',
    find: ' && new Date(time).toISOString().startsWith(date)',
    replace: '',
    tests: ['test/unit/api/maintenance-time.test.ts'],
  },
  {
    bug: 'a session may begin in a state that its workflow does not have',
    file: 'api/services/check-names.ts',
    find: 'if (states.includes(state)) return [];',
    replace: 'if (states.length > 0) return [];',
    tests: ['test/unit/api/check-names.test.ts'],
  },
];

const events: readonly SeededBug[] = [
  {
    bug: "a question's event has another message_id than its question",
    file: 'events/drafts.ts',
    find: 'notice.messageId ?? randomUUID()',
    replace: 'randomUUID()',
    tests: ['test/unit/events/drafts.test.ts'],
  },
  {
    bug: "events to projects name the admin's project",
    file: 'events/drafts.ts',
    find: 'project_id: notice.projectId,',
    replace: 'project_id: adminProjectId,',
    tests: ['test/unit/events/drafts.test.ts'],
  },
  {
    bug: 'an event that is sent again has another timestamp',
    file: 'events/envelope.ts',
    find: 'row.createdAt.toISOString()',
    replace: 'new Date().toISOString()',
    tests: ['test/unit/events/envelope.test.ts'],
  },
  {
    bug: 'the oslo envelope lacks its context',
    file: 'events/oslo-message.ts',
    find: '_context: {},',
    replace: '',
    tests: ['test/unit/events/oslo-message.test.ts'],
  },
];

const drivers: readonly SeededBug[] = [
  {
    bug: 'who looks at the simulated cloud is served by a look from before',
    file: 'clouds/simulated/joined-runs.ts',
    find: 'if (running === undefined) return run();',
    replace: 'if (next === undefined) return running ?? run();',
    tests: ['test/unit/clouds/joined-runs.test.ts'],
  },
  {
    bug: 'memory is not looked at when a fleet file is checked for full hosts',
    file: 'clouds/simulated/fleet-contradictions.ts',
    find: '[memoryMb.get(host.name) ?? 0, host.memory_mb]',
    replace: '[vcpus.get(host.name) ?? 0, host.memory_mb]',
    tests: ['test/unit/clouds/fleet-file.test.ts'],
  },
  {
    bug: "the IDs of Keystone's projects get dashes",
    file: 'clouds/openstack/list-instances.ts',
    find: 'projectId: server.tenant_id,',
    replace: "projectId: server.tenant_id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),",
    tests: ['test/unit/clouds/openstack/hosts.test.ts'],
  },
  {
    bug: 'a Nova host that is down counts as up',
    file: 'clouds/openstack/hosts/list-hosts.ts',
    find: "compute === undefined || compute.state === 'up'",
    replace: 'true',
    tests: ['test/unit/clouds/openstack/hosts.test.ts'],
  },
  {
    bug: 'what Nova may have begun is asked for again after an error',
    file: 'clouds/openstack/http/back-off.ts',
    find: '=> status === 429',
    replace: '=> passing.has(status)',
    tests: ['test/unit/clouds/openstack/back-off.test.ts'],
  },
  {
    bug: "what an operator reserves of a Nova host's memory counts as room",
    file: 'clouds/openstack/hosts/capacity.ts',
    find: '(inventory.total - inventory.reserved)',
    replace: 'inventory.total',
    tests: ['test/unit/clouds/openstack/capacity.test.ts'],
  },
  {
    bug: "only the first page of Nova's lists is read",
    file: 'clouds/openstack/nova/pages.ts',
    find: "rel === 'next'",
    replace: "rel === 'last'",
    tests: ['test/unit/clouds/openstack/hosts.test.ts'],
  },
  {
    bug: 'an error of OpenStack is kept as if it were a list',
    file: 'clouds/openstack/recent.ts',
    find: 'if (last === reading) last = undefined;',
    replace: '',
    tests: ['test/unit/clouds/openstack/recent.test.ts'],
  },
];

const replay = ['test/unit/workflows/replay.test.ts'];

const workflows: readonly SeededBug[] = [
  {
    bug: 'a session is deleted before its hosts have stopped',
    file: 'workflows/cleanup.ts',
    find: "await stopWork({ sessionId, why: 'aborting', wakeUps });",
    replace: '',
    tests: replay,
  },
  {
    bug: 'wake-ups are dropped',
    file: 'workflows/wake-ups.ts',
    find: 'pending = true;',
    replace: '',
    tests: replay,
  },
  {
    bug: 'an abort does not stop the work on the hosts',
    file: 'workflows/requests.ts',
    find: 'work.cancel();',
    replace: '',
    tests: replay,
  },
  {
    bug: 'claims are not compared with the cloud when a session ends',
    file: 'workflows/stop-work.ts',
    find: 'await quick.reconcileSession({ sessionId });',
    replace: '',
    tests: replay,
  },
  {
    bug: 'a host is not given back after its maintenance',
    file: 'workflows/host.ts',
    find: 'await quick.finishMaintenance(input);',
    replace: '',
    tests: replay,
  },
];

export const seededBugs: readonly SeededBug[] = [...api, ...events, ...drivers, ...workflows];
