/** The services of activities on a database whose clock the test sets, and on a cloud that the test plays. */
import { pino } from 'pino';
import { createDecisionTurns } from '../../../activities/decisions/decision-turns';
import type { Services } from '../../../activities/services';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { createPublisher } from '../../../events/publisher';
import type { Database } from '../../../prisma/database';
import { noMeasures } from '../../../telemetry/metrics/measures';
import { drafts } from '../events/recorded-facts';
import { settingsOfPlay as settings } from './played-course';

const names = {
  ...{ serviceName: 'parley', adminProjectId: '99999999-9999-4999-8999-999999999999', baseUrl: 'http://127.0.0.1:1' },
};

export interface SteppedServices {
  readonly db: Database;
  readonly cloud: CloudDriver;
  /** Is told of the switches of hosts. */
  readonly note: (event: string, of: string) => void;
}

export const steppedServices = ({ db, cloud, note }: SteppedServices): Services => {
  const logger = pino({ level: 'silent' });
  const bus = { send: () => Promise.resolve(), close: () => Promise.resolve() };
  const nobody = new Proxy({}, { get: () => () => Promise.resolve(undefined) });
  const services = {
    ...{ db, drafts, logger, limits: settings, measures: noMeasures, workflowCalls: nobody, actionPlugins: new Map() },
    decisionTurns: createDecisionTurns(),
    publisher: createPublisher({ db, bus, names: { ...settings, ...names }, logger, webhookSeconds: 0 }),
    cloud: {
      ...cloud,
      disableHost(...asked: Parameters<typeof cloud.disableHost>) {
        note('disable', asked[0]);
        return cloud.disableHost(...asked);
      },
      enableHost(...asked: Parameters<typeof cloud.enableHost>) {
        note('enable', asked[0]);
        return cloud.enableHost(...asked);
      },
    },
  };
  return services as unknown as Services;
};
