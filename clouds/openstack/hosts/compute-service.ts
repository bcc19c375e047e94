/** Disables and enables a host through its nova-compute, with a reason that operators can read. */
import type { Recent } from '../../../calls/recent';
import { CloudRefusal } from '../../cloud-driver';
import { ServiceError } from '../http/service-error';
import type { NovaService } from '../nova/answers';
import type { NovaApi, ServiceStatus } from '../nova/nova-api';
import { cellIsDown, computeBinary } from './list-hosts';

/** Nova keeps 255 characters. */
const longestReason = 255;

export interface ServiceSwitch {
  readonly nova: NovaApi;
  /** Lists from before a switch are forgotten. */
  readonly services: Pick<Recent<readonly NovaService[]>, 'forget'>;
}

/** A host that was disabled before keeps its reason. @throws CloudRefusal */
export const disableHost = (switching: ServiceSwitch, host: string, reason: string): Promise<void> =>
  switchHost(switching, host, { status: 'disabled', disabled_reason: reason.slice(0, longestReason) });

/** @throws CloudRefusal */
export const enableHost = (switching: ServiceSwitch, host: string): Promise<void> =>
  switchHost(switching, host, { status: 'enabled' });

const switchHost = async ({ nova, services }: ServiceSwitch, host: string, wanted: ServiceStatus): Promise<void> => {
  const own = await nova.listServices({ host });
  if (own.length === 0) throw new CloudRefusal(`Host ${host} could not be found: Nova has no service on it.`);
  const compute = own.find(({ binary }) => binary === computeBinary);
  // Nova schedules nothing onto a host without nova-compute, and can disable no other service.
  if (compute === undefined || compute.status === wanted.status) return;
  const { id } = compute;
  if (id === undefined) throw new Error(`Nova cannot change host ${host} now: ${cellIsDown}`);
  await orRefused(host, () => nova.setServiceStatus(id, wanted)).finally(() => services.forget());
};

const orRefused = async (host: string, call: () => Promise<void>): Promise<void> => {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ServiceError) || ![400, 403, 404].includes(error.status)) throw error;
    throw new CloudRefusal(`Nova does not let the compute service of host ${host} be changed: ${error.reason}`, {
      cause: error,
    });
  }
};
