/** What Nova's words about a move mean. They are those of its exceptions, as its events and answers give them. */
import { type FailureVerdict, type NovaSaying, verdictOn } from '../../../../clouds/openstack/moves/failure-table';

const live = { action: 'LIVE_MIGRATE', forced: false, source: 'compute-1' };
const cold = { ...live, action: 'MIGRATE' };

const noHost = {
  event: 'conductor_live_migrate_instance',
  words: 'No valid host was found. There are not enough hosts.',
};
const byTarget = (words: string): NovaSaying[] => [
  noHost,
  { event: 'compute_check_can_live_migrate_destination', words: `Migration pre-check error: ${words}` },
];
const answered = (words: string): NovaSaying[] => [{ words }];
const inState = (state: string): NovaSaying[] => answered(`Cannot 'os-migrateLive' instance s while it is in ${state}`);

it.each<{ situation: string; told: readonly NovaSaying[]; verdict: FailureVerdict | undefined }>([
  // this target does not suit
  { situation: 'the scheduler refused the target', told: [noHost], verdict: 'otherTarget' },
  {
    situation: 'the processor of the target lacks features',
    told: [
      noHost,
      {
        event: 'compute_check_can_live_migrate_destination',
        words: "Unacceptable CPU info: CPU doesn't have compatibility.\n\n0\n\nRefer to http://libvirt.org",
      },
    ],
    verdict: 'otherTarget',
  },
  {
    situation: 'only the name of the exception is known',
    told: [noHost, { event: 'compute_check_can_live_migrate_destination', words: 'InvalidCPUInfo_Remote' }],
    verdict: 'otherTarget',
  },
  {
    situation: 'the hypervisor of the target is too old',
    told: answered('The instance requires a newer hypervisor version than has been provided.'),
    verdict: 'otherTarget',
  },
  {
    situation: 'a member of its anti-affinity group is on the target',
    told: byTarget('Failed to validate instance group policy due to: Build of instance s was re-scheduled'),
    verdict: 'otherTarget',
  },
  {
    situation: 'the disk does not fit on the target',
    told: byTarget('Unable to migrate s: Disk of instance is too large(available on destination host:1 < need:2)'),
    verdict: 'otherTarget',
  },
  {
    situation: 'the target does not answer',
    told: answered('Timeout while checking if we can live migrate to host: compute-2'),
    verdict: 'otherTarget',
  },
  {
    situation: 'nova-compute of the target is down',
    told: answered('Compute service of compute-2 is unavailable at this time.'),
    verdict: 'otherTarget',
  },
  {
    situation: 'the hypervisor of the target is away',
    told: [
      noHost,
      { event: 'compute_check_can_live_migrate_destination', words: 'Connection to the hypervisor is broken on host' },
    ],
    verdict: 'otherTarget',
  },
  { situation: 'a port cannot be bound there', told: byTarget('Binding failed for port p'), verdict: 'otherTarget' },
  {
    situation: 'the scheduler was away',
    told: answered('Migration select destinations error: Remote error: DBError'),
    verdict: 'otherTarget',
  },
  // it cannot go live
  {
    situation: 'storage is not shared',
    told: byTarget('Error while check_can_live_migrate_source: InvalidSharedStorage c is not on shared storage: why'),
    verdict: 'notLive',
  },
  {
    situation: 'a device cannot go live',
    told: byTarget('This request does not explicitly request live-migratable devices.'),
    verdict: 'notLive',
  },
  {
    situation: 'it has a virtual TPM',
    told: answered("Operation 'live-migration' not supported for vTPM-enabled instance (s)."),
    verdict: 'notAtAll',
  },
  {
    situation: 'its memory is encrypted',
    told: answered("Operation 'live-migration' not supported for SEV-enabled instance (s)."),
    verdict: 'notAtAll',
  },
  { situation: 'it is shut off', told: inState('vm_state stopped'), verdict: 'notLive' },
  // it cannot go in any way
  {
    situation: 'it has an accelerator',
    told: answered('Feature not supported with instances that have accelerators.'),
    verdict: 'notAtAll',
  },
  {
    situation: 'it has a share',
    told: answered('Feature not supported with instances that have shares.'),
    verdict: 'notAtAll',
  },
  {
    situation: 'it has remote-managed ports',
    told: answered('This feature is not supported when remote-managed ports are in use.'),
    verdict: 'notAtAll',
  },
  { situation: 'it is in ERROR', told: inState('vm_state error'), verdict: 'notNow' },
  {
    situation: 'nova-compute of its own host is down',
    told: answered('Compute service of compute-1 is unavailable at this time.'),
    verdict: 'notNow',
  },
  {
    situation: 'the hypervisor of its own host is away',
    told: [
      noHost,
      { event: 'compute_check_can_live_migrate_source', words: 'Connection to the hypervisor is broken on host' },
    ],
    verdict: 'notNow',
  },
  { situation: 'Nova is busy with it', told: inState('task_state image_uploading'), verdict: 'passes' },
  // in no table
  { situation: 'a check failed for a new reason', told: byTarget('the moon is full'), verdict: undefined },
  {
    situation: 'Nova tells no details, as before 2.84',
    told: [noHost, { event: 'compute_check_can_live_migrate_destination', words: 'it ended in an error' }],
    verdict: undefined,
  },
  { situation: 'it failed while it ran', told: answered('the migration ended as failed'), verdict: undefined },
])('a live migration: $verdict where $situation', ({ told, verdict }) => {
  expect(verdictOn(live, told)).toBe(verdict);
});

it.each<{ situation: string; told: readonly NovaSaying[]; verdict: FailureVerdict | undefined }>([
  {
    situation: 'the scheduler refused the target',
    told: [{ event: 'cold_migrate', words: 'No valid host was found. No valid host found for cold migrate' }],
    verdict: 'otherTarget',
  },
  {
    situation: 'the target lacks resources after all',
    told: [{ event: 'compute_prep_resize', words: 'Insufficient compute resources: Free memory 0.' }],
    verdict: 'otherTarget',
  },
  {
    situation: 'a row is about live migrations',
    told: answered('Cannot live migrate VIF with related PCI'),
    verdict: undefined,
  },
  {
    situation: 'it is of a kind that goes neither way',
    told: answered("Operation 'resize' not supported for instance with vDPA ports ((instance_uuid)s)."),
    verdict: 'notAtAll',
  },
])('a cold move: $verdict where $situation', ({ told, verdict }) => {
  expect(verdictOn(cold, told)).toBe(verdict);
});

it('a live migration: notLive where the scheduler finds no host for a server with a device, and no event says why', () => {
  expect(verdictOn(live, [noHost], { hasDevice: true })).toBe('notLive');
  expect(verdictOn(cold, [noHost], { hasDevice: true })).toBe('otherTarget');
});
