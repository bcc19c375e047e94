/**
 * Every control of a session from every state: each answer is the documented one, and a refused control changes
 * nothing.
 */
import type { Prisma } from '@prisma/client';
import type { Problem } from '../../../api/problems/problem';
import { apiOn, aSessionRequest, useDatabase } from './api-under-test';

const { db } = useDatabase();

type Http = ReturnType<typeof apiOn>['http'];
type Row = Prisma.SessionUncheckedUpdateInput;

const requests = ['pause', 'resume', 'abort'] as const;
const onHost = ['skip', 'retry', 'first'] as const;
const changes = {
  max_parallel_hosts: 2,
  max_failed_hosts: 1,
  failed_hosts: 'leave_disabled',
  reply_policy: { silence: 'pause' },
  canary: { hosts: 1 },
  windows: [{ days: ['mon'], from: '02:00', to: '06:00', time_zone: 'UTC' }],
  deadline: '2090-01-01 00:00:00',
  maintenance_at: '2080-01-01 00:00:00',
} as const;

type Control =
  (typeof requests)[number] | (typeof onHost)[number] | keyof typeof changes | 'continue' | 'delete' | 'take away all';

const ask = (http: Http, id: string, control: Control) => {
  const path = `/v1/maintenance/${id}`;
  if (control === 'continue') return http.put(path).send({});
  if (control === 'delete') return http.delete(path);
  if (control === 'take away all') {
    const names = Object.keys(changes).filter((name) => name !== 'maintenance_at');
    return http.patch(path).send(Object.fromEntries(names.map((name) => [name, null])));
  }
  if (requests.some((one) => one === control)) return http.post(`${path}/${control}`);
  if (onHost.some((one) => one === control)) return http.post(`${path}/hosts/compute-1/${control}`);
  const field = control as keyof typeof changes;
  // Without a number of hosts that may fail, there is no rule for hosts that are set aside.
  const given = field === 'failed_hosts' ? { max_failed_hosts: 1 } : {};
  return http.patch(path).send({ ...given, [field]: changes[field] });
};

const controls: readonly Control[] = [
  ...requests,
  ...onHost,
  ...(Object.keys(changes) as (keyof typeof changes)[]),
  ...(['take away all', 'continue', 'delete'] as const),
];

type Refusals = Partial<Record<Control, string>>;

const allOf = (names: readonly Control[], code: string): Refusals =>
  Object.fromEntries(names.map((name) => [name, code]));

const goesOnAlready: Refusals = { continue: 'NOT_RESUMABLE' };
const begun: Refusals = { ...goesOnAlready, maintenance_at: 'BODY_DOES_NOT_FIT' };
const hostsAreOver = allOf(onHost, 'HOST_NOT_STEERABLE');
const ends: Refusals = { ...begun, ...hostsAreOver, ...allOf(['pause', 'resume'], 'NOT_RUNNING') };
const isOver: Refusals = {
  ...ends,
  ...allOf([...(Object.keys(changes) as Control[]), 'take away all'], 'NOT_CHANGEABLE'),
};

interface Case {
  readonly situation: string;
  readonly row: Row;
  readonly refused: Refusals;
}

const at = new Date('2026-01-01T00:00:00Z');
const running = (state: string): Case => ({ situation: `in ${state}`, row: { state, begunAt: at }, refused: begun });
const planned = { state: 'PLANNED_MAINTENANCE', begunAt: at };
const resumed = {
  continueRequestId: 'ffffffff-0000-4000-8000-000000000000',
  continueRequestedAt: at,
  continueState: 'MAINTENANCE',
};

const cases: readonly Case[] = [
  { situation: 'before its start', row: { state: 'MAINTENANCE' }, refused: goesOnAlready },
  running('MAINTENANCE'),
  running('SCALE_IN'),
  running('PREPARE_MAINTENANCE'),
  running('START_MAINTENANCE'),
  running('PLANNED_MAINTENANCE'),
  { ...running('MAINTENANCE_COMPLETE'), refused: { ...begun, ...hostsAreOver } },
  { situation: 'paused', row: { ...planned, pausedAt: at }, refused: begun },
  { situation: 'failing', row: { ...planned, stopping: 'failing' }, refused: ends },
  { situation: 'aborting', row: { ...planned, abortRequestedAt: at }, refused: ends },
  {
    situation: 'failed',
    row: { state: 'MAINTENANCE_FAILED', begunAt: at, prevState: 'PLANNED_MAINTENANCE' },
    refused: { ...allOf(requests, 'NOT_RUNNING'), maintenance_at: 'BODY_DOES_NOT_FIT' },
  },
  {
    situation: 'about to go on after a failure',
    row: { state: 'MAINTENANCE_FAILED', begunAt: at, ...resumed },
    refused: { ...begun, ...allOf(requests, 'NOT_RUNNING'), ...hostsAreOver, maintenance_at: 'BODY_DOES_NOT_FIT' },
  },
  { situation: 'being deleted', row: { ...planned, deleteRequestedAt: at }, refused: isOver },
  {
    situation: 'done',
    row: { state: 'MAINTENANCE_DONE', begunAt: at },
    refused: { ...isOver, abort: 'NOT_RUNNING' },
  },
];

const asNew: Row = {
  ...{ begunAt: null, pausedAt: null, stopping: null, abortRequestedAt: null, deleteRequestedAt: null },
  ...{ continueRequestId: null, continueRequestedAt: null, continueState: null, updatedAt: null },
};

/** A refusal says where the fault is, and what to do. */
const codeOf = ({ code, errors, hint }: Problem): string => {
  return errors.some(({ pointer }) => pointer !== '') && hint !== '' ? code : `${code} without a pointer or a hint`;
};

it.each(cases)('a session $situation', async ({ row, refused }) => {
  const { http } = apiOn(db());
  const request = aSessionRequest({ workflow: 'vnf', hosts: ['compute-1', 'compute-2'] });
  const { session_id: id } = (await http.post('/v1/maintenance').send(request).expect(200)).body as {
    session_id: string;
  };
  const rows = async () => ({
    session: await db().session.findUniqueOrThrow({ where: { id } }),
    hosts: await db().sessionHost.findMany({ where: { sessionId: id }, orderBy: { hostname: 'asc' } }),
  });
  const answers: Record<string, string> = {};
  const putBack = async () => {
    await db().session.update({ where: { id }, data: { ...asNew, ...row } });
    await db().sessionHost.updateMany({ where: { sessionId: id }, data: { phase: 'waiting', skipReason: null } });
    return rows();
  };
  let before = await putBack();
  for (const control of controls) {
    const reply = await ask(http, id, control);
    const { status } = reply;
    answers[control] = status === 200 ? '200' : `${status} ${codeOf(reply.body as Problem)}`;
    if (status === 200) before = await putBack();
    else expect([control, await rows()]).toEqual([control, before]);
  }
  expect(answers).toEqual(
    Object.fromEntries(controls.map((one) => [one, refused[one] === undefined ? '200' : `422 ${refused[one]}`])),
  );
});
