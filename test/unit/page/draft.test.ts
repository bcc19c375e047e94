import {
  changeFrom,
  type Draft,
  draftOf,
  emptyDraft,
  emptySteering,
  requestOf,
  steeringOf,
} from '../../../page/plan/draft';
import { draftFrom } from '../../../page/plan/draft-from';

const aDraft = (given: Partial<Draft>): Draft => ({ ...emptyDraft, hosts: 'compute-1', ...given });

describe('what is filled in', () => {
  it('makes the smallest create request that says it', () => {
    expect(requestOf(aDraft({ hosts: 'compute-1, compute-2\ncompute-3' }))).toEqual({
      hosts: ['compute-1', 'compute-2', 'compute-3'],
      state: 'MAINTENANCE',
      maintenance_at: '1970-01-01 00:00:00',
      workflow: 'vnf',
      metadata: {},
    });
  });

  it('never means all hosts by an empty list', () => {
    expect(() => requestOf(aDraft({ hosts: '  ' }))).toThrow('name the hosts, select some');
    expect(requestOf(aDraft({ hosts: 'compute-1', allHosts: true }))).not.toHaveProperty('hosts');
  });

  it.each<{ given: Partial<Draft>; says: object }>([
    { given: { select: ' zone=a ' }, says: { hosts: [], select: { labels: 'zone=a' } } },
    {
      given: { hosts: 'a1', select: 'zone=a', except: 'a2, a3' },
      says: { hosts: ['a1'], select: { labels: 'zone=a', except: ['a2', 'a3'] } },
    },
    { given: { allHosts: true, select: 'zone=a', except: 'a2' }, says: { select: { except: ['a2'] } } },
  ])('selects hosts by $says, and is filled in by that again', ({ given, says }) => {
    const { hosts, select, ...rest } = requestOf(aDraft({ hosts: '', ...given }));
    expect(JSON.parse(JSON.stringify({ hosts, select }))).toEqual(says);
    const again = requestOf(draftFrom({ ...rest, ...(hosts && { hosts }), ...(select && { select }) }, 0));
    expect(again).toMatchObject(says);
  });

  it('says which text is not JSON', () => {
    expect(() => requestOf(aDraft({ metadata: '{' }))).toThrow('the metadata is not JSON');
  });

  it.each<{ given: Partial<Draft>; steering: object }>([
    { given: {}, steering: {} },
    { given: { maxParallel: '2', maxFailed: '0' }, steering: { max_parallel_hosts: 2, max_failed_hosts: 0 } },
    {
      given: { windows: [{ dates: ['2026-12-24', ' '], except: [''], from: '', to: '', time_zone: 'UTC' }] },
      steering: { windows: [{ dates: ['2026-12-24'], time_zone: 'UTC' }] },
    },
    { given: { silence: 'pause' }, steering: { reply_policy: { silence: 'pause' } } },
    { given: { ignoreFreezes: ' a hole in the kernel ' }, steering: { ignore_freezes: 'a hole in the kernel' } },
    { given: { ownerHours: 'ignore' }, steering: { owner_hours: 'ignore' } },
    {
      given: { ownerHours: 'until', ownerHoursUntil: '2040-01-01T10:00' },
      steering: { owner_hours: { until: new Date('2040-01-01T10:00').toISOString() } },
    },
    { given: { postponeSeconds: '86400' }, steering: { postpone: { seconds: 86_400 } } },
    {
      given: { postponeUntil: '2040-01-01T10:00' },
      steering: { postpone: { until: new Date('2040-01-01T10:00').toISOString() } },
    },
    { given: { canaryHosts: '1' }, steering: { canary: { hosts: 1, then: 'continue' } } },
    {
      given: { canaryHosts: 'a, b', canaryThen: 'resume', canaryWait: '60' },
      steering: { canary: { hosts: ['a', 'b'], then: 'resume' } },
    },
    {
      given: { canaryHosts: '1', canaryWait: '60' },
      steering: { canary: { hosts: 1, then: 'continue', wait_seconds: 60 } },
    },
    {
      given: { unmanagedPods: 'delete', localData: 'keep', forced: 'delete', completeWithin: '7200' },
      steering: {
        eviction: { unmanaged_pods: 'delete', local_data: 'keep', forced: 'delete', complete_within_seconds: 7200 },
      },
    },
  ])('steers by $steering', ({ given, steering }) => {
    expect(steeringOf({ ...emptySteering, ...given })).toEqual(steering);
  });

  it('says what is evicted in the workflow of Kubernetes alone', () => {
    expect(requestOf(aDraft({ workflow: 'k8s', localData: 'delete' }))).toMatchObject({
      eviction: { local_data: 'delete' },
    });
    expect(requestOf(aDraft({ workflow: 'vnf', localData: 'delete' }))).not.toHaveProperty('eviction');
  });

  it('shows how a session is steered, and changes only what was changed', () => {
    const shown = {
      ...{ max_parallel_per: { 'topology/zone': 3, rack: 1 }, one_domain_at_a_time: 'rack' },
      ...{ max_parallel_hosts: 2, host_start_seconds: null, max_failed_hosts: null, failed_hosts: null },
      reply_policy: { silence: 'pause' },
      ...{ canary: { hosts: ['a'] }, deadline: '2026-01-05T03:00:00.000Z', windows: null },
      postpone: { until: '2040-01-01T10:00:00.000Z' },
      owner_hours: { until: '2040-01-01T11:00:00.000Z' },
      ignore_freezes: 'a hole',
      eviction: { forced: 'keep' },
    } as const;
    const before = draftOf({ ...shown, reply_policy: { silence: 'pause' }, canary: { hosts: ['a'] } });
    expect(steeringOf(before)).toMatchObject({ eviction: { forced: 'keep' } });
    expect(changeFrom(before, { ...before, completeWithin: '0' })).toEqual({
      eviction: { forced: 'keep', complete_within_seconds: 0 },
    });
    expect(steeringOf(before)).toMatchObject({
      deadline: '2026-01-05T03:00:00.000Z',
      postpone: shown.postpone,
      owner_hours: shown.owner_hours,
    });
    expect(changeFrom(before, { ...before, postponeUntil: '' })).toEqual({ postpone: null });
    expect(changeFrom(before, { ...before, ignoreFreezes: '' })).toEqual({ ignore_freezes: null });
    expect(changeFrom(before, before)).toEqual({});
    expect(steeringOf(before)).toMatchObject({ max_parallel_per: { 'topology/zone': 3, rack: 1 } });
    expect(changeFrom(before, { ...before, maxPer: 'zone=2', oneDomain: '' })).toEqual({
      max_parallel_per: { zone: 2 },
      one_domain_at_a_time: null,
    });
    expect(changeFrom(before, { ...before, maxParallel: '', maxFailed: '1' })).toEqual({
      ...{ max_parallel_hosts: null, max_failed_hosts: 1 },
    });
  });
});
