/** The services that the worker gives to activities; nothing here is made by activities. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { CloudDriver } from '../clouds/cloud-driver';
import type { EventDrafts } from '../events/drafts';
import type { Publisher } from '../events/publisher';
import type { Deliveries } from '../events/webhooks/deliver-lane';
import type { ActionPlugin } from '../plugins/actions/action-plugin';
import type { Downloads } from '../plugins/downloads/downloads';
import type { Database } from '../prisma/database';
import type { Measures } from '../telemetry/metrics/measures';
import type { WorkflowCalls } from '../temporal/workflow-calls';
import type { CheckedWorkflow } from '../temporal/workflow-messages';
import type { DecisionTurns } from './decisions/decision-turns';
import type { ToldFaults } from './decisions/told-faults';
import type { HostWatch } from './hosts/host-watch';

/** The limits from the service's settings, under the same names (config/settings.ts). */
export interface ActivityLimits {
  readonly projectReplySeconds: number;
  readonly scaleInReplySeconds: number;
  readonly nackRetries: number;
  readonly nackRetrySeconds: number;
  readonly scaleInRounds: number;
  readonly ownActionSeconds: number;
  readonly liveMoveSeconds: number;
  readonly moveSeconds: number;
  readonly hostStartSeconds: number;
  readonly undoDisabledReasons?: readonly string[] | undefined;
  readonly expectedMaintenanceSeconds: number;
  readonly expectedMoveSeconds: number;
  readonly expectedAnswerSeconds: number;
  readonly pluginSeconds: number;
  readonly takeUpSeconds: number;
  readonly defaultImpactShare: number;
  readonly auditDays: number;
  readonly eventDays: number;
  readonly deletedSessionDays: number;
  readonly goneConstraintDays: number;
}

/** The workflow of a session's packages, before they are accepted. */
export interface WorkflowCandidate {
  readonly sessionId: string;
  /** The name from the create request. */
  readonly workflow: string;
  /** The present folder of the session's files. */
  readonly folder: string;
  /** The module of the workflow, by its path within the folder. */
  readonly module: string;
  readonly signal: AbortSignal;
}

/** Checks the workflow in the sandbox in which it will run. */
export type CheckWorkflow = (candidate: WorkflowCandidate) => Promise<CheckedWorkflow>;

export interface Services {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly toldFaults: ToldFaults;
  /** Finds the current run of a workflow, and ends dead workflows. */
  readonly client: Client;
  readonly workflowCalls: WorkflowCalls;
  /** The turns in which the sessions of this process decide. */
  readonly decisionTurns: DecisionTurns;
  /** Watches the hosts that this process attends. */
  readonly hostWatch: HostWatch;
  readonly drafts: EventDrafts;
  readonly publisher: Publisher;
  /** Sends events to webhooks. */
  readonly deliveries: Deliveries;
  /** The files of sessions on this machine. */
  readonly downloads: Downloads;
  readonly actionPlugins: ReadonlyMap<string, ActionPlugin>;
  readonly checkWorkflow: CheckWorkflow;
  readonly limits: ActivityLimits;
  readonly measures: Measures;
  readonly logger: Logger;
}
