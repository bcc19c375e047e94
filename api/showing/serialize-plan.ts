/** A plan in the words of the interface. */
import type { Plan, Range, Span } from '../../rules/simulation/plan/plan';
import type { PlanMarks } from '../../rules/simulation/plan/plan-marks';
import type { PlanBody } from '../schemas/plan-schemas';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { serializeBlockers } from './serialize-blockers';

export interface PlanToShow {
  readonly plan: Plan;
  readonly nowMs: number;
  /** The session of the plan, if it exists. */
  readonly sessionId?: string;
  /** The create request that it is for. */
  readonly request?: CreateSessionBody;
  /** Names by the project's ID. */
  readonly projectNames: ReadonlyMap<string, string>;
  readonly marks: PlanMarks;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
const spanOf = ({ fromMs, toMs }: Span) => ({ from: timeOf(fromMs), to: timeOf(toMs) });

const inRange = <T>({ earliest, expected, latest }: Range, of: (value: number) => T) => ({
  earliest: of(earliest),
  expected: of(expected),
  latest: of(latest),
});

const toHost = (host: Plan['hosts'][number]): PlanBody['hosts'][number] => ({
  hostname: host.hostname,
  type: host.type,
  phase: host.phase,
  ends_as: host.endsAs ?? null,
  drain: host.drain ? spanOf(host.drain) : null,
  maintenance: host.maintenance ? spanOf(host.maintenance) : null,
  move_count: host.moves,
});

const toMove =
  (projectNames: ReadonlyMap<string, string>) =>
  (move: Plan['moves'][number]): PlanBody['moves'][number] => ({
    instance_id: move.instanceId,
    instance_name: move.instanceName,
    project_id: move.projectId,
    project_name: projectNames.get(move.projectId) ?? null,
    action: move.action,
    host: move.source,
    target: move.target ?? null,
    ...spanOf(move.span),
  });

const toQuestion =
  (projectNames: ReadonlyMap<string, string>) =>
  (question: Plan['questions'][number]): PlanBody['questions'][number] => ({
    project_id: question.projectId,
    project_name: projectNames.get(question.projectId) ?? null,
    instance_id: question.instanceId ?? null,
    instance_name: question.instanceName ?? null,
    hostname: question.hostname ?? null,
    state: question.state,
    asked_at: timeOf(question.askedAtMs),
    window_seconds: question.windowSeconds,
    answer_expected: question.isAnswered,
  });

const toGroup = (group: Plan['groups'][number]): PlanBody['groups'][number] => ({
  group_id: group.id ?? null,
  group_name: group.name,
  project_ids: [...group.projectIds],
  members: group.members,
  max_impacted_members: group.maxImpactedMembers,
  most_out: group.mostOut,
});

const toCriticalHost = ({ hostname, steps }: NonNullable<Plan['criticalHost']>): PlanBody['critical_host'] => ({
  hostname,
  steps: steps.map(({ kind, subject, ...span }) => ({
    kind,
    subject,
    ...spanOf(span),
    seconds: (span.toMs - span.fromMs) / 1000,
  })),
});

const toMarks = ({ openings, canaryEndsAtMs }: PlanMarks): Pick<PlanBody, 'openings' | 'canary_ends_at'> => ({
  openings: openings?.map(spanOf) ?? null,
  canary_ends_at: canaryEndsAtMs === undefined ? null : timeOf(canaryEndsAtMs),
});

export const serializePlan = ({ plan, nowMs, sessionId, request, projectNames, marks }: PlanToShow): PlanBody => ({
  session_id: sessionId ?? null,
  planned_at: timeOf(nowMs),
  request: request ?? null,
  completes: plan.endsAtMs !== undefined && !plan.blockers.some(({ isNotPlayed }) => isNotPlayed),
  begins_at: timeOf(plan.beginsAtMs),
  ends_at: plan.endsAtMs ? inRange(plan.endsAtMs, timeOf) : null,
  seconds_left: plan.endsAtMs ? inRange(plan.endsAtMs, (ms) => Math.max(0, ms - nowMs) / 1000) : null,
  stops_at: plan.stopsAtMs === undefined ? null : timeOf(plan.stopsAtMs),
  states: plan.states.map(({ state, fromMs }) => ({ state, from: timeOf(fromMs) })),
  ...toMarks(marks),
  move_count: plan.moves.length,
  hosts: plan.hosts.map(toHost),
  moves: plan.moves.map(toMove(projectNames)),
  questions: plan.questions.map(toQuestion(projectNames)),
  groups: plan.groups.map(toGroup),
  critical_host: plan.criticalHost ? toCriticalHost(plan.criticalHost) : null,
  blockers: serializeBlockers(plan.blockers, projectNames),
});
