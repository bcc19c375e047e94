/** A create request, checked against what is there; creating and planning a session refuse the same. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import { type Database, databaseNow } from '../../prisma/database';
import type { SessionAction } from '../../prisma/session/session-progress';
import { checkCanaryHosts, checkEviction } from '../parsing/check-steering';
import { readHostsWanted } from '../parsing/hosts-wanted';
import { steeringIn } from '../parsing/steering';
import { invalidCreateRequest } from '../problems/problem-catalogue';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { checkDownload, type DownloadRules } from './check-download';
import { checkMetadata } from './check-metadata';
import { checkNames, type KnownNames } from './check-names';
import { findHosts, type FoundHosts } from './find-hosts';

export interface RequestRules extends KnownNames {
  readonly db: Database;
  readonly cloud: CloudDriver;
  readonly downloadRules: DownloadRules;
  readonly metadataLimitBytes: number;
}

/** Its hosts have their names and types in the cloud. */
export interface CheckedRequest extends FoundHosts {
  readonly workflow: string;
  readonly state: string;
  readonly maintenanceAt: Date;
  readonly actions: readonly SessionAction[];
}

/** @throws ApiError 400 with all faults at once, or naming hosts that the cloud does not know; 422; 503 */
export const checkRequest = async (rules: RequestRules, body: CreateSessionBody): Promise<CheckedRequest> => {
  const { canary = null, ...steering } = steeringIn(body);
  const read = readHostsWanted(body);
  const errors = [
    ...('fault' in read ? [read.fault] : []),
    ...checkNames(body, rules, await databaseNow(rules.db)),
    ...checkEviction(steering, rules.cloud),
    ...checkDownload(body, rules.downloadRules),
    ...checkMetadata(body, rules.metadataLimitBytes),
  ];
  if (errors.length > 0 || 'fault' in read) throw invalidCreateRequest(errors);
  const found = await findHosts(rules.cloud, read.wanted);
  const misfits =
    canary === null
      ? []
      : checkCanaryHosts(
          canary,
          found.hosts.map(({ hostname }) => hostname),
        );
  if (misfits.length > 0) throw invalidCreateRequest(misfits);
  return {
    workflow: body.workflow,
    state: body.state,
    maintenanceAt: timeOf(body.maintenance_at),
    actions: (body.actions ?? []).map((action) => ({ ...action, metadata: action.metadata ?? {} })),
    ...found,
  };
};

const timeOf = (text: string): Date => {
  const time = parseMaintenanceAt(text);
  if (time === undefined) throw invalidCreateRequest([{ pointer: '/maintenance_at', message: 'is not a time' }]);
  return time;
};
