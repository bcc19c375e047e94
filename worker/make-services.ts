/** Makes the services that activities need from the settings. */
import type { Client } from '@temporalio/client';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Services } from '../activities/services';
import { observedCloud } from '../clouds/observed-cloud';
import { openCloud } from '../clouds/registry';
import type { Settings } from '../config/settings';
import { accessOf } from '../control/temporal-access';
import { createSessionControl } from '../control/temporal-control';
import { createDownloads } from '../downloads/downloads';
import { resolveHost } from '../downloads/resolve-host';
import { createUrlPolicy } from '../downloads/url-policy';
import type { EventBus } from '../events/bus';
import { createEventDrafts } from '../events/drafts';
import { createPublisher } from '../events/publisher';
import { type Measures, noMeasures } from '../metrics/measures';
import { actionPlugins } from '../plugins/actions/registry';
import type { Database } from '../prisma/database';
import { traceCalls } from '../tracing/trace-calls';
import { noTracing, type Tracing } from '../tracing/tracing';
import { createWorkflowCheck } from './check-workflow';
import { measureCalls } from './measure-cloud';

export interface ServiceSources {
  readonly settings: Settings;
  readonly db: Database;
  readonly client: Client;
  readonly bus: EventBus;
  readonly logger: Logger;
  /** The bundle of the service's own workflows. */
  readonly workflowBundle: WorkflowBundleOption;
  /** Left out: nothing is measured. */
  readonly measures?: Measures;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
}

export const makeServices = ({
  settings,
  db,
  client,
  bus,
  logger,
  workflowBundle,
  measures = noMeasures,
  tracing = noTracing,
}: ServiceSources): Services => ({
  db,
  client,
  logger,
  measures,
  cloud: observedCloud(observedCloud(openCloud({ settings, db }), measureCalls(measures)), traceCalls(tracing)),
  control: createSessionControl({ client, db, logger }),
  drafts: createEventDrafts(settings),
  publisher: createPublisher({ db, bus, names: settings, logger }),
  downloads: createDownloads({
    root: settings.downloadDir,
    limits: settings,
    policy: createUrlPolicy(settings.downloadAllow),
    resolveHost,
  }),
  actionPlugins,
  checkWorkflow: createWorkflowCheck({ ...accessOf(settings), client, workflowBundle, logger }),
  limits: settings,
});
