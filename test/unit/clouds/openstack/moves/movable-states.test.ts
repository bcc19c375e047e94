/** In which states Nova moves a server, and who can do something where it does not. */
import { cannotMoveNow, movableStates } from '../../../../../clouds/openstack/moves/movable-states';
import { aNovaServer } from '../../../../builders/a-nova-server';

it.each([
  { status: 'ACTIVE', live: true, cold: true, owner: undefined },
  { status: 'PAUSED', live: true, cold: false, owner: undefined },
  { status: 'SHUTOFF', live: false, cold: true, owner: undefined },
  { status: 'SUSPENDED', live: false, cold: false, owner: 'project' },
  { status: 'RESCUE', live: false, cold: false, owner: 'project' },
  { status: 'ERROR', live: false, cold: false, owner: 'operator' },
  { status: 'SHELVED', live: false, cold: false, owner: 'project' },
  { status: 'SOFT_DELETED', live: false, cold: false, owner: 'project' },
  { status: 'BUILD', live: false, cold: false, owner: 'operator' },
  { status: 'VERIFY_RESIZE', live: false, cold: false, owner: 'project' },
])('a server in $status moves live: $live, cold: $cold', ({ status, live, cold, owner }) => {
  expect(movableStates[status]).toMatchObject({ live, cold });
  expect(cannotMoveNow(aNovaServer({ status }), false)?.owner).toBe(owner);
});

it.each([
  { what: 'a resize of this service', server: { status: 'VERIFY_RESIZE' }, isOurs: true },
  { what: 'what a move of this service has broken', server: { status: 'ERROR' }, isOurs: true },
  { what: 'a task of Nova', server: { status: 'REBUILD', 'OS-EXT-STS:task_state': 'rebuilding' }, isOurs: false },
  { what: 'a confirmation', server: { status: 'VERIFY_RESIZE', 'OS-EXT-STS:task_state': 'deleting' }, isOurs: false },
])('$what passes', ({ server, isOurs }) => {
  expect(cannotMoveNow(aNovaServer(server), isOurs)).toBeUndefined();
});

it.each([
  { created: '2026-03-01T10:00:00Z', passesAt: '2026-03-01T10:10:00Z' },
  { created: '2026-03-01T10:00:00', passesAt: '2026-03-01T10:10:00Z' },
  { created: null, passesAt: undefined },
  { created: 'yesterday', passesAt: undefined },
])('a build that began at $created is waited for until $passesAt', ({ created, passesAt }) => {
  const passesAtMs = passesAt === undefined ? undefined : Date.parse(passesAt);
  expect(cannotMoveNow(aNovaServer({ status: 'BUILD', created }), false)?.passesAtMs).toBe(passesAtMs);
});

it.each([
  { situation: 'on that source', server: { status: 'ERROR' }, isNamed: true },
  { situation: 'on another host', server: { status: 'ERROR', 'OS-EXT-SRV-ATTR:host': 'compute-9' }, isNamed: false },
  { situation: 'well again', server: { status: 'ACTIVE' }, isNamed: false },
])(
  'a server that may have left its source names both hosts: $isNamed, when it is $situation',
  ({ server, isNamed }) => {
    const cannot = cannotMoveNow(aNovaServer(server), false, { source: 'compute-1', target: 'compute-2' });
    expect(cannot?.because.includes('on host compute-1 after a live migration to host compute-2') ?? false).toBe(
      isNamed,
    );
  },
);
