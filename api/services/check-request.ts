/** A create request, checked against what is there; creating and planning a session refuse the same. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import { type Database, databaseNow } from '../../prisma/database';
import type { SessionAction } from '../../prisma/session/session-progress';
import type { NewSessionHost } from '../../prisma/session/sessions';
import { checkCanaryHosts, checkEviction } from '../parsing/check-steering';
import { steeringIn } from '../parsing/steering';
import { invalidCreateRequest } from '../problems/problem-catalogue';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { checkDownload, type DownloadRules } from './check-download';
import { checkMetadata } from './check-metadata';
import { checkNames, type KnownNames } from './check-names';
import { findHosts } from './find-hosts';

export interface RequestRules extends KnownNames {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly downloadRules: DownloadRules;
  readonly metadataLimitBytes: number;
}

export interface CheckedRequest {
  readonly workflow: string;
  readonly state: string;
  readonly maintenanceAt: Date;
  readonly actions: readonly SessionAction[];
  /** The hosts with their names and types in the cloud. */
  readonly hosts: readonly NewSessionHost[];
}

/** @throws ApiError 400 with all faults at once, or naming the hosts that the cloud does not know; 503 */
export const checkRequest = async (rules: RequestRules, body: CreateSessionBody): Promise<CheckedRequest> => {
  const { canary = null, ...steering } = steeringIn(body);
  const errors = [
    ...checkNames(body, rules, await databaseNow(rules.db)),
    ...checkEviction(steering, rules.cloud),
    ...checkDownload(body, rules.downloadRules),
    ...checkMetadata(body, rules.metadataLimitBytes),
  ];
  if (errors.length > 0) throw invalidCreateRequest(errors);
  const hosts = await findHosts(rules.cloud, body.hosts ?? []);
  const misfits =
    canary === null
      ? []
      : checkCanaryHosts(
          canary,
          hosts.map(({ hostname }) => hostname),
        );
  if (misfits.length > 0) throw invalidCreateRequest(misfits);
  return {
    workflow: body.workflow,
    state: body.state,
    maintenanceAt: timeOf(body.maintenance_at),
    actions: (body.actions ?? []).map((action) => ({ ...action, metadata: action.metadata ?? {} })),
    hosts,
  };
};

const timeOf = (text: string): Date => {
  const time = parseMaintenanceAt(text);
  if (time === undefined) throw invalidCreateRequest([{ pointer: '/maintenance_at', message: 'is not a time' }]);
  return time;
};
