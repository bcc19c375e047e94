import { requestOfRest, requestOfSame } from '../../../api/services/request-of-rest';
import type { SessionProgress } from '../../../prisma/session/session-progress';
import type { HostPhase } from '../../../rules/decisions/fleet/fleet';

const now = new Date('2026-06-01T02:00:00Z');
const notSteered = {
  ...{ maxParallelHosts: null, maxFailedHosts: null, failedHosts: null, replyPolicy: null },
  ...{ canary: null, canaryEndedAt: null, windows: null, deadline: null },
  ...{ postpone: null, ownerHours: null, ignoreFreezes: null },
};

const facts = (
  phases: Readonly<Record<string, HostPhase>>,
  session: Partial<SessionProgress> = {},
  download: string[] = [],
) => ({
  // The fields of the row that the request is made of.
  session: {
    ...{ workflow: 'vnf', initialState: 'MAINTENANCE', maintenanceAt: now, metadata: { openstack: '2026.1' } },
    ...{ ...notSteered, actions: [{ plugin: 'dummy', type: 'host', metadata: {} }], ...session },
  } as unknown as SessionProgress,
  hosts: Object.entries(phases).map(([hostname, phase]) => ({ hostname, phase })),
  ...{ download, now },
});

const restOf = (...given: Parameters<typeof facts>) => requestOfRest(facts(...given));

it('asks for the hosts that are left, and leaves out what the session was not given', () => {
  expect(restOf({ a: 'maintained', b: 'emptying', c: 'set_aside', d: 'skipped', e: 'failed', f: 'waiting' })).toEqual({
    hosts: ['b', 'e', 'f'],
    workflow: 'vnf',
    state: 'MAINTENANCE',
    maintenance_at: '2026-06-01T02:00:00.000Z',
    metadata: { openstack: '2026.1' },
    actions: [{ plugin: 'dummy', type: 'host', metadata: {} }],
  });
});

it('is none where no host is left: without hosts it would be for the whole cloud', () => {
  expect(restOf({ a: 'maintained', b: 'skipped' })).toBeUndefined();
});

const [past, ahead] = ['2026-06-01T02:00:00Z', '2026-06-01T02:00:01Z'];
const canary = { hosts: 2, then: 'resume' as const, waitSeconds: 0 };

it.each([
  { situation: 'packages', download: ['https://x/y.tar'], session: {}, shown: { download: ['https://x/y.tar'] } },
  {
    situation: 'a limit of hosts that may fail, of which one has',
    session: { maxFailedHosts: 2, failedHosts: 'enable' as const },
    shown: { max_failed_hosts: 1, failed_hosts: 'enable' },
  },
  {
    situation: 'a limit that is used up',
    session: { maxFailedHosts: 1, failedHosts: 'enable' as const },
    shown: { max_failed_hosts: undefined, failed_hosts: undefined },
  },
  {
    situation: 'a canary larger than what is left',
    session: { canary },
    shown: { canary: { hosts: 1, then: 'resume', wait_seconds: 0 } },
  },
  {
    situation: 'a canary of which one host is left',
    session: { canary: { ...canary, hosts: ['gone', 'left'] } },
    shown: { canary: { hosts: ['left'], then: 'resume', wait_seconds: 0 } },
  },
  { situation: 'a canary that is done', session: { canary, canaryEndedAt: now }, shown: { canary: undefined } },
  {
    situation: 'a canary whose hosts are all done',
    session: { canary: { ...canary, hosts: ['gone'] } },
    shown: { canary: undefined },
  },
  { situation: 'a deadline that has passed', session: { deadline: now }, shown: { deadline: undefined } },
  {
    situation: 'a deadline to come',
    session: { deadline: new Date('2026-06-01T06:00:00Z') },
    shown: { deadline: '2026-06-01T06:00:00.000Z' },
  },
  {
    situation: 'times of owners that have passed',
    session: { postpone: { until: past }, ownerHours: { mode: 'until' as const, until: past } },
    shown: { postpone: undefined, owner_hours: undefined },
  },
  {
    situation: 'times of owners to come',
    session: { postpone: { until: ahead }, ownerHours: { mode: 'until' as const, until: ahead } },
    shown: { postpone: { until: ahead }, owner_hours: { until: ahead } },
  },
  {
    situation: 'a time to put off after the first question',
    session: { postpone: { seconds: 60 }, ownerHours: { mode: 'ignore' as const } },
    shown: { postpone: { seconds: 60 }, owner_hours: 'ignore' },
  },
])('fits $situation', ({ session, download, shown }) => {
  const request = restOf({ gone: 'set_aside', left: 'waiting' }, session, download);
  expect({ ...shown, ...request }).toEqual({ ...request, ...shown });
});

it('asks for all hosts again, with what was given, but for times that have passed and for ignored freezes', () => {
  const session = {
    ...{
      maxFailedHosts: 1,
      canary,
      canaryEndedAt: now,
      deadline: now,
      name: 'kernel',
      ignoreFreezes: 'a security fix',
    },
    ...{ postpone: { until: past }, ownerHours: { mode: 'until' as const, until: past } },
  };
  expect(requestOfSame(facts({ a: 'maintained', b: 'set_aside' }, session))).toEqual({
    hosts: ['a', 'b'],
    name: 'kernel',
    workflow: 'vnf',
    state: 'MAINTENANCE',
    maintenance_at: '2026-06-01T02:00:00.000Z',
    metadata: { openstack: '2026.1' },
    actions: [{ plugin: 'dummy', type: 'host', metadata: {} }],
    max_failed_hosts: 1,
    canary: { hosts: 2, then: 'resume', wait_seconds: 0 },
  });
});
