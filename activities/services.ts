/** What activities are given by the worker; nothing here is made by them. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { CloudDriver } from '../clouds/cloud-driver';
import type { SessionControl } from '../control/session-control';
import type { Downloads } from '../downloads/downloads';
import type { EventDrafts } from '../events/drafts';
import type { Publisher } from '../events/publisher';
import type { CheckedWorkflow } from '../messages/workflow-messages';
import type { ActionPlugin } from '../plugins/actions/action-plugin';
import type { Database } from '../prisma/database';

/** The limits of the service's settings, by their names there (config/settings.ts). */
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
  readonly pluginSeconds: number;
  readonly takeUpSeconds: number;
  readonly defaultImpactShare: number;
}

/** The workflow of a session's packages, before they are accepted. */
export interface WorkflowCandidate {
  readonly sessionId: string;
  /** As the create request names it. */
  readonly workflow: string;
  /** Where the session's files are just now. */
  readonly folder: string;
  /** The workflow's own module, by its path within the folder. */
  readonly module: string;
  readonly signal: AbortSignal;
}

/** Looks at the workflow in the sandbox that it will run in. */
export type CheckWorkflow = (candidate: WorkflowCandidate) => Promise<CheckedWorkflow>;

export interface Services {
  readonly db: Database;
  readonly cloud: CloudDriver;
  /** For looking up which run of a workflow is the current one, and ending dead ones. */
  readonly client: Client;
  readonly control: SessionControl;
  readonly drafts: EventDrafts;
  readonly publisher: Publisher;
  /** The files of sessions on this machine. */
  readonly downloads: Downloads;
  readonly actionPlugins: ReadonlyMap<string, ActionPlugin>;
  readonly checkWorkflow: CheckWorkflow;
  readonly limits: ActivityLimits;
  readonly logger: Logger;
}
