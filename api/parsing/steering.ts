/** Reads how a session is to be steered, from the words of the interface. */
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import type { WindowBody } from '../../forms/window-schema';
import type { SteeringChange } from '../../prisma/session/session-steering';
import type { Eviction } from '../../rules/cloud/eviction';
import type { MaintenanceWindow } from '../../rules/maintenance-windows/maintenance-window';
import type { OwnerHours } from '../../rules/owner-times/hours-ahead';
import type { Postpone } from '../../rules/owner-times/postpone';
import type { ReplyPolicy } from '../../rules/questions/reply-policy';
import type { Canary } from '../../rules/steering/canary';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import type {
  CanaryBody,
  ChangeSessionBody,
  EvictionBody,
  OwnerHoursBody,
  PostponeBody,
  ReplyPolicyBody,
  SteeringBody,
} from '../schemas/steering-schemas';

/** Reads the steering of a create request or of a change; null takes a field away. */
export const steeringIn = (body: SteeringBody): SteeringChange => {
  const { windows, deadline, ignore_freezes: ignoreFreezes } = body;
  return {
    ...wordsIn(body),
    ...hostLimitsIn(body),
    ...replyPolicyIn(body.reply_policy),
    ...canaryIn(body.canary),
    ...evictionIn(body.eviction),
    ...postponeIn(body.postpone),
    ...ownerHoursIn(body.owner_hours),
    ...(windows !== undefined && { windows: windows && windows.map(toWindow) }),
    ...(ignoreFreezes !== undefined && { ignoreFreezes }),
    ...(deadline !== undefined && { deadline: deadline === null ? null : (parseMaintenanceAt(deadline) ?? null) }),
  };
};

const wordsIn = ({ name, reason }: SteeringBody): SteeringChange => ({
  ...(name !== undefined && { name }),
  ...(reason !== undefined && { reason }),
});

const hostLimitsIn = (body: SteeringBody): SteeringChange => ({
  ...(body.max_parallel_hosts !== undefined && { maxParallelHosts: body.max_parallel_hosts }),
  ...(body.max_parallel_per !== undefined && { maxParallelPer: body.max_parallel_per }),
  ...(body.one_domain_at_a_time !== undefined && { oneDomainAtATime: body.one_domain_at_a_time }),
  ...(body.host_start_seconds !== undefined && { hostStartSeconds: body.host_start_seconds }),
  ...(body.max_failed_hosts !== undefined && { maxFailedHosts: body.max_failed_hosts }),
  ...(body.failed_hosts !== undefined && { failedHosts: body.failed_hosts }),
});

/** Reads a change, which may also move the start. */
export const changeIn = (body: ChangeSessionBody): SteeringChange => {
  const maintenanceAt = body.maintenance_at === undefined ? undefined : parseMaintenanceAt(body.maintenance_at);
  return { ...steeringIn(body), ...(maintenanceAt !== undefined && { maintenanceAt }) };
};

export const toWindow = ({ time_zone: timeZone, ...window }: WindowBody): MaintenanceWindow => ({
  ...window,
  timeZone,
});

const replyPolicyIn = (policy: ReplyPolicyBody | null | undefined): SteeringChange =>
  policy === undefined ? {} : { replyPolicy: policy && toReplyPolicy(policy) };

const toReplyPolicy = ({ silence = 'default', last_nack: lastNack }: ReplyPolicyBody): ReplyPolicy => ({
  silence,
  ...(lastNack !== undefined && { lastNack }),
});

const evictionIn = (eviction: EvictionBody | null | undefined): SteeringChange =>
  eviction === undefined ? {} : { eviction: eviction && toEviction(eviction) };

const toEviction = ({ forced, ...body }: EvictionBody): Eviction => ({
  ...(body.unmanaged_pods !== undefined && { unmanagedPods: body.unmanaged_pods }),
  ...(body.local_data !== undefined && { localData: body.local_data }),
  ...(forced !== undefined && { forced }),
  ...(body.complete_within_seconds !== undefined && { completeWithinSeconds: body.complete_within_seconds }),
});

const postponeIn = (postpone: PostponeBody | null | undefined): SteeringChange =>
  postpone === undefined ? {} : { postpone: postpone && toPostpone(postpone) };

/** @throws ApiError 422 where both are given, or neither */
const toPostpone = ({ until, seconds }: PostponeBody): Postpone => {
  const untilAt = until === undefined ? undefined : parseMaintenanceAt(until);
  if (untilAt !== undefined && seconds === undefined) return { until: untilAt.toISOString() };
  if (untilAt === undefined && seconds !== undefined) return { seconds };
  throw bodyDoesNotFit([{ pointer: '/postpone', message: 'must have either until or seconds' }]);
};

const ownerHoursIn = (body: OwnerHoursBody | null | undefined): SteeringChange =>
  body === undefined ? {} : { ownerHours: body && toOwnerHours(body) };

const toOwnerHours = (body: OwnerHoursBody): OwnerHours => {
  if (typeof body === 'string') return { mode: body };
  const untilAt = parseMaintenanceAt(body.until);
  return untilAt === undefined ? { mode: 'keep' } : { mode: 'until', until: untilAt.toISOString() };
};

const canaryIn = (canary: CanaryBody | null | undefined): SteeringChange =>
  canary === undefined ? {} : { canary: canary && toCanary(canary) };

const toCanary = ({ hosts, then = 'continue', wait_seconds: waitSeconds = 0 }: CanaryBody): Canary => ({
  hosts,
  then,
  waitSeconds,
});
