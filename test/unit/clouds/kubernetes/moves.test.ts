import type { MoveRequest } from '../../../../clouds/cloud-driver';
import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { abortMove, forceMove, observeMove, type PodMover, startMove } from '../../../../clouds/kubernetes/moves/moves';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import type { RoomInBudget } from '../../../../clouds/kubernetes/surge/surge';
import type { Database } from '../../../../prisma/database';
import { anOwner, aPod } from '../../../builders/a-kubernetes-object';

const request: MoveRequest = {
  claimId: 'claim-1',
  instanceId: 'uid-1',
  action: 'EVICTION',
  source: 'node-1',
  target: '',
};

/** The clock of the cluster, which is ahead of this machine's. */
const clusterMs = Date.now() + 3_600_000;

/** The log with one open move, whose next try is due. */
const logWith = (claimId: string) => {
  const row: Record<string, unknown> = {
    ...{ id: 'move-1', claimId, forced: false, instanceId: 'uid-1', podName: 'pod-1', namespace: 'web' },
    ...{ action: 'EVICTION', status: 'trying', refusal: null, refusedSince: null, failure: null },
  };
  const ofOpen = ({ where }: { where: { status?: unknown } }): boolean =>
    where.status === undefined || ['trying', 'leaving'].includes(String(row['status']));
  const find = (query: { where: { claimId?: string; status?: unknown } }): Promise<unknown> =>
    Promise.resolve((query.where.claimId ?? claimId) === claimId && ofOpen(query) ? { ...row } : null);
  const db = {
    kubernetesMove: {
      findFirst: find,
      findUniqueOrThrow: find,
      updateMany: (change: { where: { status?: unknown }; data: object }) => {
        if (ofOpen(change)) Object.assign(row, change.data);
        return Promise.resolve({ count: 1 });
      },
    },
    claim: { count: () => Promise.resolve(1) }, // the other claim is over
    $queryRaw: () => Promise.resolve([]),
    // Nothing is asked for, or refused, once the pod leaves.
    $executeRaw: () => Promise.resolve(row['status'] === 'trying' ? 1 : 0),
  } as unknown as Database;
  return { db, row };
};

const aMover = ({
  pod,
  claimId = 'claim-1',
  answer = () => Promise.resolve({}),
  held,
  behind,
  room = { kind: 'ask' },
}: {
  pod: Pod | undefined;
  claimId?: string;
  answer?: () => Promise<unknown>;
  held?: string;
  behind?: string;
  room?: RoomInBudget;
}) => {
  const { db, row } = logWith(claimId);
  const asked: string[] = [];
  const told: string[] = [];
  const call = ({ method, path }: { method: string; path: string }): Promise<unknown> => {
    asked.push(`${method} ${path}`);
    return answer();
  };
  const mover: PodMover = {
    ...{ db, defaults: { unmanagedPods: 'keep', localData: 'keep', forced: 'keep' } },
    client: { call, nowMs: () => clusterMs } as unknown as KubernetesClient,
    findPod: () => Promise.resolve(pod),
    whyHeld: () => Promise.resolve(held === undefined ? undefined : { because: held }),
    whyBehind: () => behind,
    makeRoom: () => Promise.resolve(room),
    events: {
      tell: ({ about, message }) => {
        told.push(`${about.kind} ${about.name}: ${message}`);
        return Promise.resolve();
      },
    },
  };
  return { mover, row, asked, told };
};

const eviction = 'POST /api/v1/namespaces/web/pods/pod-1/eviction';
const running = aPod({ metadata: { name: 'pod-1', namespace: 'web', ...anOwner('ReplicaSet') } });
const ending = aPod({ metadata: { ...running.metadata, deletionTimestamp: '2026-01-01T12:00:00Z' } });

describe('an eviction that is not accepted yet', () => {
  it('says what was done to make room for it', async () => {
    const refused = new KubernetesError('words', 429, {
      said: 'no',
      causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods.' }],
    });
    const answer = () => Promise.reject(refused);
    const room = { kind: 'ask', waitsFor: 'Deployment web/shop was raised' } as const;
    const { mover, told } = aMover({ pod: running, answer, room });
    await startMove(mover, request);
    expect(told[0]).toContain('The disruption budget web needs 1 healthy pods; Deployment web/shop was raised');
  });

  it('is not asked for while its Deployment gives a pod up', async () => {
    const room = { kind: 'hold', because: 'Deployment web/shop is being set to 1 replicas' } as const;
    const { mover, asked, told } = aMover({ pod: running, room });
    await startMove(mover, request);
    expect([asked, told[0]]).toEqual([[], expect.stringContaining(room.because)]);
  });

  it.each([
    ['is asked for by a start', startMove],
    ['is asked for by a look', observeMove],
  ])('%s', async (_what, act) => {
    const { mover, row, asked } = aMover({ pod: running });
    await expect(act(mover, request)).resolves.toEqual({ kind: 'running' });
    expect([asked, row['status']]).toEqual([[eviction], 'leaving']);
  });

  it.each([
    ['an abort', abortMove, /"kind":"failed",.*was given up/],
    ['a deletion that is not allowed', forceMove, /"kind":"failed",.*not deleted past that unless the session says so/],
  ])('ends with %s, and the pod stays', async (_what, act, words) => {
    const { mover, asked } = aMover({ pod: running });
    expect(JSON.stringify(await act(mover, request))).toMatch(words);
    expect(asked).toEqual([]);
  });

  it('is not asked for once more when it is left over, and another claim moves the pod', async () => {
    const { mover, row, asked } = aMover({ pod: running, claimId: 'claim-0' });
    await expect(startMove(mover, request)).rejects.toThrow('is just beginning'); // this log takes no second move
    expect([asked, row['status']]).toEqual([[], 'failed']);
  });
});

it.each([404, 409])('an eviction that is answered %d goes on while the pod is there', async (status) => {
  const answer = () => Promise.reject(new KubernetesError('words', status, { said: 'changed meanwhile', causes: [] }));
  const { mover, row, told } = aMover({ pod: running, answer });
  await expect(observeMove(mover, request)).resolves.toMatchObject({ kind: 'running' });
  expect(row['status']).toBe('trying');
  const wait = 'pod web/pod-1 is to leave its node and waits: changed meanwhile';
  expect(told).toEqual([`Pod pod-1: ${wait}`, `Node node-1: ${wait}`]);
});

it.each([
  { what: 'its finalizers', finalizers: ['web/backup'], words: 'its finalizers web/backup keep it' },
  { what: 'its node', finalizers: [], words: 'the kubelet of node node-1 has not ended it' },
])('a pod that does not end in its time is told with $what', async ({ finalizers, words }) => {
  const metadata = { name: 'pod-1', namespace: 'web', uid: 'uid-1', finalizers };
  const at = (secondsAgo: number) => new Date(clusterMs - secondsAgo * 1000).toISOString();
  const overdue = aPod({ metadata: { ...metadata, deletionTimestamp: at(60) } });
  await expect(observeMove(aMover({ pod: overdue }).mover, request)).resolves.toMatchObject({
    ...{ kind: 'running', isStuck: true, progress: expect.stringContaining(words) as string },
  });
  const inTime = aPod({ metadata: { ...metadata, deletionTimestamp: at(-30) } });
  await expect(observeMove(aMover({ pod: inTime }).mover, request)).resolves.not.toHaveProperty('isStuck');
});

it.each([
  { situation: 'somebody else is at work on the node', why: { held: 'kured is at work on host node-1' } },
  { situation: 'its budget has not counted yet', why: { behind: 'only 2 are Ready now' } },
])('an eviction is not asked for while $situation', async ({ why }) => {
  const { mover, asked, told, row } = aMover({ pod: running, ...why });
  await observeMove(mover, request);
  expect([asked, row['status']]).toEqual([[], 'trying']);
  expect(told[0]).toContain(`waits: ${Object.values(why)[0]}`);
});

it.each([
  { situation: 'the pod ends', pod: ending, left: { kind: 'running' }, recorded: 'leaving' },
  { situation: 'the pod is gone', pod: undefined, left: { kind: 'gone' }, recorded: 'gone' },
])('where $situation, an abort leaves it so', async ({ pod, left, recorded }) => {
  const { mover, row } = aMover({ pod });
  await expect(abortMove(mover, request)).resolves.toMatchObject(left);
  expect(row['status']).toBe(recorded);
});

describe('what the session of a move says', () => {
  const bare = aPod({ metadata: { name: 'pod-1', namespace: 'web' } });

  it.each([
    { pod: 'a bare pod', given: bare, eviction: null, refused: 'since no controller makes this pod again' },
    {
      pod: 'a bare pod that it gives up',
      given: bare,
      eviction: { unmanagedPods: 'delete' },
      refused: 'just beginning',
    },
  ] as const)('decides whether $pod is evicted', async ({ given, eviction, refused }) => {
    const { mover } = aMover({ pod: given, claimId: 'claim-0' }); // this log takes no second move
    await expect(startMove(mover, { ...request, eviction })).rejects.toThrow(refused);
  });

  it('lets a pod be deleted past its budgets', async () => {
    const { mover, row } = aMover({ pod: running });
    const forced = { ...request, eviction: { forced: 'delete' } } as const;
    await expect(forceMove(mover, forced)).rejects.toThrow('is just beginning');
    expect(row).toMatchObject({ status: 'failed', failure: expect.stringContaining('for a deletion') as string });
  });
});
