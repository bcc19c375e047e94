/** The bodies of the API, by the names that the page uses for them. */
import type { components } from './openapi';

type Schemas = components['schemas'];

export type Progress = Schemas['SessionList']['sessions'][number];
export type Summary = Schemas['SessionSummary'];
export type Detail = Schemas['SessionDetail'];
export type HostsInTime = Schemas['SessionTimeline'];
export type Host = HostsInTime['hosts'][number];
export type Instance = Detail['instances'][number];
export type Wait = Summary['waiting'][number];
export type Blocker = Summary['blockers'][number];
export type NextStep = Summary['next'][number];
export type Plan = Schemas['Plan'];
export type PlannedHost = Plan['hosts'][number];
export type CreateRequest = Schemas['CreateSession'];
export type Change = Schemas['ChangeSession'];
export type Question = Schemas['QuestionList']['questions'][number];
export type ComingEntry = Schemas['Coming']['coming'][number];
export type RecordEntry = Schemas['SessionRecord']['entries'][number];
export type BegunMove = Schemas['SessionMoves']['moves'][number];
export type Tenant = Schemas['SessionTenants']['tenants'][number];
export type Terms = Schemas['Terms'];
export type TermsPreview = Schemas['TermsPreview'];
export type Project = Schemas['Project'];
export type ProblemBody = Schemas['Problem'];
export type SessionEvent = Schemas['SessionEvents']['events'][number];
export type Choices = Schemas['Choices'];
export type InFlight = Schemas['SessionInFlight'];
export type HostPhase = Host['phase'];
