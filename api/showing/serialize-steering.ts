/** How a session is steered, in the words of the interface. */
import type { WindowBody } from '../../forms/window-schema';
import type { SteeredSession, Steering } from '../../prisma/session/session-steering';
import type { Eviction } from '../../rules/cloud/eviction';
import type { MaintenanceWindow } from '../../rules/maintenance-windows/maintenance-window';
import type { OwnerHours } from '../../rules/owner-times/hours-ahead';
import { lastNackOf, type ReplyPolicy, type SessionThatAsks } from '../../rules/questions/reply-policy';
import type { Canary } from '../../rules/steering/canary';
import type {
  CanaryBody,
  EvictionBody,
  OwnerHoursBody,
  ReplyPolicyBody,
  SessionChangedBody,
} from '../schemas/steering-schemas';

const serializeReplyPolicy = ({ silence }: ReplyPolicy, session: SessionThatAsks): ReplyPolicyBody => ({
  silence,
  last_nack: lastNackOf(session),
});

const serializeCanary = ({ hosts, then, waitSeconds }: Canary): CanaryBody => ({
  hosts: typeof hosts === 'number' ? hosts : [...hosts],
  then,
  wait_seconds: waitSeconds,
});

const serializeEviction = ({ forced, ...eviction }: Eviction): EvictionBody => ({
  ...(eviction.unmanagedPods !== undefined && { unmanaged_pods: eviction.unmanagedPods }),
  ...(eviction.localData !== undefined && { local_data: eviction.localData }),
  ...(forced !== undefined && { forced }),
  ...(eviction.completeWithinSeconds !== undefined && { complete_within_seconds: eviction.completeWithinSeconds }),
});

export const serializeOwnerHours = (hours: OwnerHours): OwnerHoursBody =>
  hours.mode === 'until' ? { until: hours.until } : hours.mode;

export const serializeSteering = (steering: Steering) => ({
  name: steering.name,
  reason: steering.reason,
  max_parallel_hosts: steering.maxParallelHosts,
  max_parallel_per: steering.maxParallelPer && { ...steering.maxParallelPer },
  one_domain_at_a_time: steering.oneDomainAtATime,
  host_start_seconds: steering.hostStartSeconds,
  max_failed_hosts: steering.maxFailedHosts,
  failed_hosts: steering.failedHosts,
  reply_policy: steering.replyPolicy && serializeReplyPolicy(steering.replyPolicy, steering),
  canary: steering.canary && serializeCanary(steering.canary),
  eviction: steering.eviction && serializeEviction(steering.eviction),
  postpone: steering.postpone && { ...steering.postpone },
  owner_hours: steering.ownerHours && serializeOwnerHours(steering.ownerHours),
  windows: steering.windows && steering.windows.map(serializeWindow),
  ignore_freezes: steering.ignoreFreezes,
  deadline: steering.deadline && steering.deadline.toISOString(),
});

export const serializeWindow = ({ days, nth, dates, except, from, to, timeZone }: MaintenanceWindow): WindowBody => ({
  ...(days && { days: [...days] }),
  ...(nth && { nth: [...nth] }),
  ...(dates && { dates: [...dates] }),
  ...(except && { except: [...except] }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  time_zone: timeZone,
});

export const serializeSteered = ({ id, state, maintenanceAt, steering }: SteeredSession): SessionChangedBody => ({
  session_id: id,
  state,
  maintenance_at: maintenanceAt.toISOString(),
  ...serializeSteering(steering),
});
