/** Finds the hosts of a create request in the cloud. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { NewSessionHost } from '../../prisma/session/sessions';
import type { CloudHost } from '../../rules/cloud/cloud-facts';
import { unknownHosts } from '../problems/problem-catalogue';
import { askCloud } from './ask-cloud';

const toNewHost = ({ name, type, isCompute }: CloudHost): NewSessionHost => ({ hostname: name, type, isCompute });

const isThere = ({ seemsGone }: CloudHost): boolean => seemsGone === undefined;

const whyNot = (name: string, seemsGone: string | undefined): string =>
  seemsGone === undefined
    ? `the cloud has no host ${JSON.stringify(name)}`
    : `host ${JSON.stringify(name)} seems to be gone, since ${seemsGone}`;

/**
 * The named hosts, or else all hosts of the cloud but those that seem to be gone. A host that is named twice counts
 * once.
 * @throws ApiError 400 naming those that the cloud does not know or that seem to be gone; 503 when it does not answer
 */
export const findHosts = async (cloud: CloudDriver, named: readonly string[]): Promise<NewSessionHost[]> => {
  const listed = await askCloud(cloud, (asked) => asked.listHosts());
  const hosts = new Map(listed.filter(isThere).map((host) => [host.name, toNewHost(host)]));
  const gone = new Map(listed.map(({ name, seemsGone }) => [name, seemsGone]));
  if (named.length === 0) return [...hosts.values()];
  const unknown = named.flatMap((name, index) =>
    hosts.has(name) ? [] : [{ pointer: `/hosts/${index}`, message: whyNot(name, gone.get(name)) }],
  );
  if (unknown.length > 0) throw unknownHosts(unknown);
  return [...new Set(named)].flatMap((name) => hosts.get(name) ?? []);
};
