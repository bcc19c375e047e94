/** Finds the hosts of a create request in the cloud. */
import type { CloudDriver, CloudHost } from '../../clouds/cloud-driver';
import type { NewSessionHost } from '../../prisma/session/sessions';
import { unknownHosts } from '../problem-catalogue';
import { askCloud } from './ask-cloud';

const toNewHost = ({ name, type, isCompute }: CloudHost): NewSessionHost => ({ hostname: name, type, isCompute });

/**
 * The named hosts, or else all hosts of the cloud. A host that is named twice counts once.
 * @throws ApiError 400 naming those that the cloud does not know; 503 when it does not answer
 */
export const findHosts = async (cloud: CloudDriver, named: readonly string[]): Promise<NewSessionHost[]> => {
  const listed = await askCloud(cloud, (asked) => asked.listHosts());
  const hosts = new Map(listed.map((host) => [host.name, toNewHost(host)]));
  if (named.length === 0) return [...hosts.values()];
  const unknown = named.flatMap((name, index) =>
    hosts.has(name) ? [] : [{ pointer: `/hosts/${index}`, message: `the cloud has no host ${JSON.stringify(name)}` }],
  );
  if (unknown.length > 0) throw unknownHosts(unknown);
  return [...new Set(named)].flatMap((name) => hosts.get(name) ?? []);
};
