/** The action plug-ins that work by Jobs: what they run, how they follow it, and that they look before they act. */
import { connectNodeJobs } from '../../../../clouds/kubernetes/jobs/node-jobs';
import {
  type ActionPlugin,
  ActionPluginFailure,
  type ActionPluginRun,
} from '../../../../plugins/actions/action-plugin';
import { createJobPlugin } from '../../../../plugins/actions/kubernetes/job';
import { createRebootPlugin } from '../../../../plugins/actions/kubernetes/reboot';
import { aJobCluster } from '../../../builders/a-job-cluster';

const sessionId = '99999999-0000-4000-8000-000000000000';
const image = 'registry.example.org/tools:1';

const aRun = (given: Partial<ActionPluginRun> = {}): ActionPluginRun => ({
  session: { id: sessionId, workflow: 'vnf', state: 'PLANNED_MAINTENANCE' },
  host: { name: 'node-1', type: 'compute' },
  metadata: { image },
  earlierAttempts: 0,
  signal: new AbortController().signal,
  log: () => undefined,
  ...given,
});

const pollMs = 1;
type Cluster = ReturnType<typeof aJobCluster>;
const job = ({ client }: Cluster) => createJobPlugin(connectNodeJobs(client, 'maintenance'), { pollMs });

const failureOf = async (running: Promise<unknown>): Promise<string> => {
  const error: unknown = await running.catch((thrown: unknown) => thrown);
  if (error instanceof ActionPluginFailure) return error.message;
  throw new Error('it has not failed as a plug-in does', { cause: error });
};

/** What the service does once the end is on record, and before it gives the host back. */
const clear = (plugin: ActionPlugin, { session, metadata }: ActionPluginRun = aRun()): Promise<string | undefined> =>
  plugin.clear!({ session, metadata, host: { name: 'node-1', type: 'compute' } });

const theJob = ({ jobs }: Cluster) => [...jobs.values()][0]!;

describe('job', () => {
  it('ends with the last lines of its Job', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => undefined, () => cluster.end('Complete')]);
    expect(await job(cluster).run(aRun())).toEqual({ state: 'patched 3 packages' });
  });

  it('runs once, on the node of the host, whether that is cordoned or tainted', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.end('Complete')]);
    const metadata = {
      ...{
        image,
        command: ['sh', '-c', 'apt-get upgrade'],
        env: { CHANNEL: 'stable' },
        privileged: true,
        host_pid: true,
      },
      host_mounts: [{ host_path: '/', mount_path: '/host' }],
    };
    await job(cluster).run(aRun({ metadata }));
    expect(theJob(cluster)).toMatchObject({
      metadata: { labels: { 'parley.maintenance/session': sessionId, 'parley.maintenance/plugin': 'job' } },
      spec: {
        backoffLimit: 0,
        template: {
          metadata: { labels: { 'parley.maintenance/run': expect.any(String) as string } },
          spec: {
            restartPolicy: 'Never',
            hostPID: true,
            hostNetwork: false,
            automountServiceAccountToken: false,
            tolerations: [{ operator: 'Exists' }],
            affinity: {
              nodeAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: {
                  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
                },
              },
            },
            volumes: [{ name: 'host-0', hostPath: { path: '/' } }],
            containers: [
              {
                image,
                command: ['sh', '-c', 'apt-get upgrade'],
                securityContext: { privileged: true },
                volumeMounts: [{ name: 'host-0', mountPath: '/host', readOnly: false }],
                env: expect.arrayContaining([
                  { name: 'MAINTENANCE_HOST', value: 'node-1' },
                  { name: 'CHANNEL', value: 'stable' },
                ]) as unknown[],
              },
            ],
          },
        },
      },
    });
  });

  it.each([
    { what: 'its host was given back while the worker hung', given: { isWanted: () => Promise.resolve(false) } },
    {
      what: 'whoever gave the host back has deleted its Job',
      given: ({ jobs }: Cluster) => ({
        isWanted: () => {
          jobs.clear();
          return Promise.resolve(true);
        },
      }),
    },
  ])('lets no Job run where $what', async ({ given }) => {
    const cluster = aJobCluster();
    const run = aRun(typeof given === 'function' ? given(cluster) : given);
    expect(await failureOf(job(cluster).run(run))).toMatch(/did not begin: its host is not in maintenance any more$/);
    expect(cluster.jobs.size).toBe(0);
    expect(cluster.letGo).toEqual([]);
  });

  it('lets a Job go that a worker made and did not let go, and no other', async () => {
    const cluster = aJobCluster();
    const dying = { isWanted: () => Promise.reject(new Error('killed')) };
    await expect(job(cluster).run(aRun(dying))).rejects.toThrow('killed');
    expect(theJob(cluster).spec).toMatchObject({ suspend: true });
    cluster.atEachLook([() => cluster.end('Complete')]);
    await job(cluster).run(aRun());
    expect(cluster.letGo).toEqual([theJob(cluster).metadata.name]);
  });

  it('takes a pod template as it is, but for where and how often it runs', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.end('Complete')]);
    const spec = {
      containers: [{ name: 'own', image }],
      priorityClassName: 'system-node-critical',
      restartPolicy: 'OnFailure',
    };
    const metadata = { template: { metadata: { annotations: { 'example.org/a': '1' } }, spec } };
    await job(cluster).run(aRun({ metadata }));
    expect(theJob(cluster).spec).toMatchObject({
      template: {
        metadata: { annotations: { 'example.org/a': '1' } },
        spec: { priorityClassName: 'system-node-critical', restartPolicy: 'Never', containers: [{ name: 'own' }] },
      },
    });
  });

  it('fails with the reason and the last lines', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.end('Failed', 'BackoffLimitExceeded')]);
    cluster.setLog('no space left\n');
    const failure = await failureOf(job(cluster).run(aRun()));
    expect(failure).toBe(
      `Job ${theJob(cluster).metadata.name} (namespace maintenance) failed (BackoffLimitExceeded): no space left`,
    );
  });

  it('says so when the output cannot be read', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.end('Complete')]);
    cluster.setLog(new Error('the kubelet does not answer'));
    const { state } = await job(cluster).run(aRun());
    expect(state).toBe('its output cannot be read: the kubelet does not answer');
  });

  it.each([
    { what: 'without an image', metadata: {}, says: /image/ },
    { what: 'with an unknown field', metadata: { image, imagePullSecret: 'x' }, says: /imagePullSecret/ },
    { what: 'with a template without containers', metadata: { template: { spec: {} } }, says: /containers/ },
  ])('fails $what', async ({ metadata, says }) => {
    const cluster = aJobCluster();
    expect(await failureOf(job(cluster).run(aRun({ metadata })))).toMatch(says);
    expect(cluster.jobs.size).toBe(0);
  });

  it('fails for pre and post, which have no node', async () => {
    const { session, metadata, earlierAttempts, signal, log } = aRun();
    expect(await failureOf(job(aJobCluster()).run({ session, metadata, earlierAttempts, signal, log }))).toMatch(
      /type host, compute or controller/,
    );
  });

  it('fails in the words of a cluster that refuses its Job', async () => {
    const cluster = aJobCluster();
    cluster.refuseJobs(403, 'exceeded quota');
    expect(await failureOf(job(cluster).run(aRun()))).toBe('the cluster does not take its Job: exceeded quota');
  });
});

describe('job after a crash of its worker', () => {
  it.each([
    {
      how: 'follows the Job that runs',
      end: (cluster: Cluster) => cluster.atEachLook([() => cluster.end('Complete')]),
    },
    { how: 'tells the Job that has ended', end: (cluster: Cluster) => cluster.end('Complete') },
  ])('$how, and starts no other', async ({ end }) => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    cluster.atEachLook([() => stopping.abort(new Error('WORKER_SHUTDOWN'))]);
    const first = job(cluster).run(aRun({ signal: stopping.signal, isWorkerStopping: () => true }));
    await expect(first).rejects.toThrow();
    expect(cluster.deleted).toEqual([]);
    end(cluster);
    expect(await job(cluster).run(aRun({ earlierAttempts: 1 }))).toEqual({ state: 'patched 3 packages' });
    expect(cluster.jobs.size).toBe(1);
  });

  it('tells a failure that nobody has told', async () => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    cluster.atEachLook([() => stopping.abort()]);
    await job(cluster)
      .run(aRun({ signal: stopping.signal, isWorkerStopping: () => true }))
      .catch(() => undefined);
    cluster.end('Failed');
    expect(await failureOf(job(cluster).run(aRun({ earlierAttempts: 1 })))).toMatch(/failed/);
    expect(cluster.jobs.size).toBe(1);
  });

  it('runs another Job when the failure is on record and the session was resumed', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.end('Failed')]);
    await failureOf(job(cluster).run(aRun()));
    cluster.atEachLook([() => cluster.end('Complete')]);
    expect(await job(cluster).run(aRun({ earlierAttempts: 1 }))).toEqual({ state: 'patched 3 packages' });
    expect([...cluster.jobs.keys()].map((name) => name.slice(-2))).toEqual(['-1', '-2']);
  });

  it.each([
    { what: 'another host', other: { host: { name: 'node-2', type: 'compute' } as const } },
    { what: 'another session', other: { session: { id: sessionId.replace('9', '8'), workflow: 'vnf', state: 'X' } } },
    { what: 'other metadata', other: { metadata: { image: `${image}.1` } } },
  ])('has a Job of its own for $what', async ({ other }) => {
    const cluster = aJobCluster();
    for (const run of [aRun(), aRun(other)]) {
      cluster.atEachLook([() => cluster.end('Complete')]);
      await job(cluster).run(run);
    }
    expect(cluster.jobs.size).toBe(2);
  });
});

describe('job that is cleared', () => {
  it.each([
    { which: 'one that has ended, for its output', end: (cluster: Cluster) => cluster.end('Failed'), kept: 1 },
    { which: 'none without an end', end: () => undefined, kept: 0 },
  ])('keeps $which', async ({ end, kept }) => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    cluster.atEachLook([() => stopping.abort()]);
    await job(cluster)
      .run(aRun({ signal: stopping.signal, isWorkerStopping: () => true }))
      .catch(() => undefined);
    cluster.setPod({ phase: 'Failed' });
    end(cluster);
    expect(await clear(job(cluster))).toBeUndefined();
    expect(cluster.jobs.size).toBe(kept);
  });
});

describe('job that is to end', () => {
  it('deletes its Job, and says why that did not run', async () => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    cluster.setPod({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }],
    });
    cluster.atEachLook([() => stopping.abort()]);
    expect(await failureOf(job(cluster).run(aRun({ signal: stopping.signal })))).toMatch(
      /ImagePullBackOff: not found$/,
    );
    expect(cluster.deleted).toHaveLength(1);
  });

  it('logs once why its Job does not run', async () => {
    const cluster = aJobCluster();
    const logged: string[] = [];
    cluster.setPod({
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/10 nodes' }],
    });
    cluster.atEachLook([() => undefined, () => undefined, () => cluster.end('Complete')]);
    await job(cluster).run(aRun({ log: (line) => logged.push(line) }));
    expect(logged).toEqual([expect.stringMatching(/does not run yet: Unschedulable: 0\/10 nodes$/)]);
  });

  it('fails when somebody has deleted its Job', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.jobs.clear()]);
    expect(await failureOf(job(cluster).run(aRun()))).toMatch(/^somebody has deleted Job parley-/);
  });
});

describe('reboot', () => {
  const clock = { nowMs: 0 };
  const reboot = ({ client }: Cluster) =>
    createRebootPlugin(connectNodeJobs(client, 'maintenance'), { pollMs, now: () => clock.nowMs });

  it('waits until the node is gone and is Ready again with another boot ID', async () => {
    const cluster = aJobCluster();
    cluster.atEachNode([
      () => undefined,
      () => (cluster.node.isReady = false),
      () => cluster.end('Failed'),
      () => (cluster.node.bootId = 'boot-2'),
      () => (cluster.node.isReady = true),
    ]);
    expect(await reboot(cluster).run(aRun())).toEqual({ state: 'rebooted: boot ID boot-1 before, boot-2 now' });
    expect(theJob(cluster).spec).toMatchObject({
      template: { spec: { hostPID: true, containers: [{ securityContext: { privileged: true } }] } },
    });
  });

  it('has a command that leaves any other boot alone, and a deadline after its own time limit', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => (cluster.node.bootId = 'boot-2')]);
    await reboot(cluster).run(aRun({ limitSeconds: 600 }));
    const command = expect.arrayContaining([expect.stringContaining('"$MAINTENANCE_BOOT_ID"')]) as unknown;
    const env = expect.arrayContaining([{ name: 'MAINTENANCE_BOOT_ID', value: 'boot-1' }]) as unknown;
    expect(theJob(cluster).spec).toMatchObject({
      activeDeadlineSeconds: 660,
      template: { spec: { containers: [{ command, env }] } },
    });
  });

  it.each([
    { how: 'runs for ever', see: () => undefined },
    { how: 'has failed', see: (cluster: Cluster) => cluster.end('Failed') },
    { how: 'was deleted by somebody', see: (cluster: Cluster) => cluster.jobs.clear() },
  ])('is done with another boot ID when its Job $how', async ({ see }) => {
    const cluster = aJobCluster();
    const rebooted = () => (cluster.node.bootId = 'boot-2');
    cluster.atEachLook([() => see(cluster), rebooted]);
    expect(await reboot(cluster).run(aRun())).toEqual({ state: 'rebooted: boot ID boot-1 before, boot-2 now' });
  });

  it('stops its Job at the sight of another boot, before the node is Ready', async () => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    const reads: boolean[] = [];
    cluster.atEachNode([
      () => undefined,
      () => Object.assign(cluster.node, { bootId: 'boot-2', isReady: false }),
      () => reads.push(theJob(cluster).spec['suspend'] === true),
      () => stopping.abort(new Error('WORKER_SHUTDOWN')),
    ]);
    const run = aRun({ signal: stopping.signal, isWorkerStopping: () => true });
    await reboot(cluster)
      .run(run)
      .catch(() => undefined);
    expect({ reads, deleted: cluster.deleted }).toEqual({ reads: [true], deleted: [] });
  });

  it('is over after a crash between its end and the record of that, and is cleared then', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => (cluster.node.bootId = 'boot-2')]);
    const plugin = reboot(cluster);
    for (const earlierAttempts of [0, 1]) {
      expect(await plugin.run(aRun({ earlierAttempts }))).toEqual({
        state: 'rebooted: boot ID boot-1 before, boot-2 now',
      });
    }
    expect(cluster.jobs.size).toBe(1);
    expect(await clear(plugin)).toBeUndefined();
    expect(cluster.jobs.size).toBe(0);
  });

  it('names the pod of its Job that still ends, unless the node is silent', async () => {
    const cluster = aJobCluster();
    cluster.leavePod('parley-1-abcde');
    expect(await clear(reboot(cluster))).toBe('pod parley-1-abcde (namespace maintenance)');
    cluster.node.isReady = false;
    expect(await clear(reboot(cluster))).toBeUndefined();
  });

  it('finds the Jobs of any session that have no end', async () => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    cluster.atEachLook([() => stopping.abort()]);
    await reboot(cluster)
      .run(aRun({ signal: stopping.signal, isWorkerStopping: () => true }))
      .catch(() => undefined);
    expect(await job(cluster).findLeft!()).toEqual([]);
    const [left] = await reboot(cluster).findLeft!();
    expect(left).toMatchObject({ sessionId, hostname: 'node-1' });
    await left!.remove();
    expect(cluster.jobs.size).toBe(0);
    cluster.end('Failed');
    expect(await reboot(cluster).findLeft!()).toEqual([]);
  });

  it('does not reboot again a node that was rebooted before a crash', async () => {
    const cluster = aJobCluster();
    const stopping = new AbortController();
    cluster.atEachLook([() => stopping.abort()]);
    await reboot(cluster)
      .run(aRun({ signal: stopping.signal, isWorkerStopping: () => true }))
      .catch(() => undefined);
    cluster.node.bootId = 'boot-2';
    expect(await reboot(cluster).run(aRun({ earlierAttempts: 1 }))).toEqual({
      state: 'rebooted: boot ID boot-1 before, boot-2 now',
    });
    expect(cluster.jobs.size).toBe(1);
  });

  it('fails when the node stays up after its Job has ended', async () => {
    const cluster = aJobCluster();
    cluster.atEachLook([() => cluster.end('Complete'), () => (clock.nowMs += 59_000), () => (clock.nowMs += 1_000)]);
    expect(await failureOf(reboot(cluster).run(aRun({ metadata: { image, begin_seconds: 60 } })))).toMatch(
      /ended, and node node-1 was still up, with the same boot ID, 60 s later/,
    );
  });

  it('fails on a node that does not tell its boot ID', async () => {
    const cluster = aJobCluster();
    cluster.node.bootId = '';
    expect(await failureOf(reboot(cluster).run(aRun()))).toMatch(/does not tell its boot ID/);
    expect(cluster.jobs.size).toBe(0);
  });
});
