/** Finds the hosts of a create request in the cloud. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { NewSessionHost } from '../../prisma/session/sessions';
import type { CloudHost } from '../../rules/cloud/cloud-facts';
import { wantedHosts } from '../../rules/selectors/select-hosts';
import type { HostsToFind } from '../parsing/hosts-wanted';
import { noHostSelected, unknownHosts } from '../problems/hosts-problems';
import type { FieldError } from '../problems/problem';
import { askCloud } from './ask-cloud';

export interface FoundHosts {
  readonly hosts: readonly NewSessionHost[];
  /** Hosts that are wanted without their names, and seem to be gone. */
  readonly gone: readonly CloudHost[];
}

const toNewHost = ({ name, type, isCompute }: CloudHost): NewSessionHost => ({ hostname: name, type, isCompute });

const isThere = ({ seemsGone }: CloudHost): boolean => seemsGone === undefined;

const whyNot = (name: string, seemsGone: string | undefined): string =>
  seemsGone === undefined
    ? `the cloud has no host ${JSON.stringify(name)}`
    : `host ${JSON.stringify(name)} seems to be gone, since ${seemsGone}`;

/**
 * The named and selected hosts, or else all hosts of the cloud, but for those that seem to be gone. A host that is
 * named twice counts once.
 * @throws ApiError 400 naming those that the cloud does not know or that seem to be gone; 422 where a selection is
 * empty; 503 when the cloud does not answer
 */
export const findHosts = async (cloud: CloudDriver, wanted: HostsToFind): Promise<FoundHosts> => {
  const listed = await askCloud(cloud, (asked) => asked.listHosts());
  const unknown = unknownAmong(wanted, listed);
  if (unknown.length > 0) throw unknownHosts(unknown);
  const hosts = new Map(listed.map((host) => [host.name, host]));
  const found = wantedHosts(listed, wanted).flatMap((name) => hosts.get(name) ?? []);
  const there = found.filter(isThere).map(toNewHost);
  const { selection } = wanted;
  if (there.length === 0 && selection !== undefined) throw noHostSelected(selection, labelsOf(listed));
  return { hosts: there, gone: found.filter((host) => !isThere(host)) };
};

/** An unknown name is a mistake also among the exceptions: the host that was meant would be worked on. */
const unknownAmong = ({ named, except }: HostsToFind, listed: readonly CloudHost[]): FieldError[] => {
  const gone = new Map(listed.map(({ name, seemsGone }) => [name, seemsGone]));
  const known = new Set(gone.keys());
  const there = new Set(listed.filter(isThere).map(({ name }) => name));
  const faults = (names: readonly string[], good: ReadonlySet<string>, pointer: string): FieldError[] =>
    names.flatMap((name, index) =>
      good.has(name) ? [] : [{ pointer: `${pointer}/${index}`, message: whyNot(name, gone.get(name)) }],
    );
  return [...faults(named, there, '/hosts'), ...faults(except, known, '/select/except')];
};

const labelsOf = (hosts: readonly CloudHost[]): string[] =>
  [...new Set(hosts.flatMap(({ labels = {} }) => Object.keys(labels)))].toSorted();
