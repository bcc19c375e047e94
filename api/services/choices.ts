/** Lists what a create request can name: the hosts of the cloud, and the plug-ins of this version. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findOwnedHosts } from '../../prisma/session/sessions';
import { compareText } from '../../rules/decisions/fleet/ordered';
import type { ChoicesBody } from '../schemas/choice-schemas';
import { askCloud } from './ask-cloud';
import type { KnownNames } from './check-names';

export interface ChoicesDeps extends KnownNames {
  readonly db: Database;
  readonly cloud: CloudDriver;
}

/** @throws ApiError 503 when the cloud does not answer */
export const findChoices = async ({ db, cloud, workflows, actionPlugins }: ChoicesDeps): Promise<ChoicesBody> => {
  const listed = await askCloud(cloud, (asked) => asked.listHosts());
  const sessionOf = new Map((await findOwnedHosts(db)).map(({ hostname, sessionId }) => [hostname, sessionId]));
  return {
    hosts: listed
      .map(({ name, type, seemsGone }) => ({
        hostname: name,
        type,
        session_id: sessionOf.get(name) ?? null,
        seems_gone: seemsGone ?? null,
      }))
      .sort((one, other) => compareText(one.hostname, other.hostname)),
    workflows: [...workflows.keys()],
    action_plugins: [...actionPlugins],
  };
};
