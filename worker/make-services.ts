/** Makes the services that activities need from the settings. */
import type { Client } from '@temporalio/client';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { createDecisionTurns } from '../activities/decisions/decision-turns';
import { createToldFaults } from '../activities/decisions/told-faults';
import { createHostWatch } from '../activities/hosts/host-watch';
import type { Services } from '../activities/services';
import { createWebhookWaker } from '../activities/webhooks/wake-webhooks';
import { openNodeJobs } from '../clouds/kubernetes/jobs/open-node-jobs';
import { observedCloud } from '../clouds/observed-cloud';
import { openCloud } from '../clouds/registry';
import type { Settings } from '../config/settings';
import type { EventBus } from '../events/bus';
import { createEventDrafts } from '../events/drafts';
import { createPublisher, type Publisher } from '../events/publisher';
import { createDeliveries } from '../events/webhooks/deliver-lane';
import { createReceiverPolicy } from '../events/webhooks/receivers';
import { createHttpPolicy, type OtherSystems } from '../plugins/actions/http/ask';
import { openSecrets } from '../plugins/actions/http/secrets';
import { builtInPlugins } from '../plugins/actions/registry';
import type { WayToOthers } from '../plugins/addresses/judged-lookup';
import { resolveHost } from '../plugins/addresses/resolve-host';
import { createDownloads } from '../plugins/downloads/downloads';
import { createPackagePolicy } from '../plugins/downloads/package-sources';
import type { Database } from '../prisma/database';
import { type Measures, noMeasures } from '../telemetry/metrics/measures';
import { noTracing, traceCalls, type Tracing } from '../telemetry/tracing/tracing';
import { createWorkflowCalls } from '../temporal/call-workflows';
import { accessOf } from '../temporal/temporal-access';
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
  /** The time that an admin's request waits for its workflow. Left out: as in the service. */
  readonly answerWithinMs?: number | undefined;
  /** Left out: nothing is measured. */
  readonly measures?: Measures;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
}

export const makeServices = (sources: ServiceSources): Services => {
  const { settings, db, client, logger, workflowBundle, answerWithinMs } = sources;
  const { measures = noMeasures, tracing = noTracing } = sources;
  const decisionTurns = createDecisionTurns();
  const isAboutToLook = decisionTurns.isAboutToDecide;
  const workflowCalls = createWorkflowCalls({ client, db, logger, answerWithinMs, isAboutToLook });
  return {
    db,
    client,
    logger,
    measures,
    workflowCalls,
    decisionTurns,
    hostWatch: createHostWatch({ db, logger }),
    cloud: observedCloud(observedCloud(openCloud({ settings, db }), measureCalls(measures)), traceCalls(tracing)),
    toldFaults: createToldFaults(),
    drafts: createEventDrafts(settings),
    publisher: openPublisher(sources, workflowCalls),
    deliveries: createDeliveries({
      db,
      names: settings,
      measures,
      logger,
      receivers: { policy: createReceiverPolicy(settings.webhookAllow), ...wayToOthers(settings) },
    }),
    downloads: createDownloads({
      root: settings.downloadDir,
      limits: settings,
      policy: createPackagePolicy(settings.downloadAllow),
      ...wayToOthers(settings),
    }),
    actionPlugins: builtInPlugins({ jobs: openNodeJobs(settings), systems: openOtherSystems(settings) }),
    checkWorkflow: createWorkflowCheck({ ...accessOf(settings), client, workflowBundle, logger }),
    limits: settings,
  };
};

/** How webhooks and downloads find the addresses that others have chosen. */
const wayToOthers = (settings: Settings): WayToOthers => ({
  resolveHost,
  proxies: settings,
  proxyResolves: settings.proxyResolves === 'on',
});

/** Undefined: the action plug-in `http` may ask nobody. */
const openOtherSystems = (settings: Settings): OtherSystems | undefined =>
  settings.httpAllow.length === 0
    ? undefined
    : {
        policy: createHttpPolicy(settings.httpAllow),
        secrets: openSecrets(settings.httpSecretsFile),
        ...wayToOthers(settings),
      };

const openPublisher = (
  { settings, db, bus, logger }: ServiceSources,
  workflowCalls: Services['workflowCalls'],
): Publisher =>
  createPublisher({
    db,
    bus,
    names: settings,
    logger,
    webhookSeconds: settings.webhookWindowSeconds,
    wakeWebhooks: createWebhookWaker({ db, workflowCalls }),
  });
