/**
 * Reads servers out of Nova's answers. A server that lacks what decisions rest on is an error with its name: never a
 * server without a host, or none at all. In a list it is told beside the others, with the host that it holds.
 */
import { keyOf } from '../../../rules/cloud/id';
import { OddAnswer } from '../../http/parse-answer';
import { hostRights } from '../rights/table';
import { type NovaServer, type OutlinedServer, parseOutlinedServer, parseServerItself, parseServers } from './answers';
import { allByLink } from './pages';

export interface ServersAsRead {
  readonly servers: readonly NovaServer[];
  readonly unread: readonly UnreadServer[];
}

/** A server of which Nova's answer makes no sense. */
export interface UnreadServer {
  /** Undefined: it may be on any host. */
  readonly host: string | undefined;
  /** The fault, with the name of the server as far as it is known. */
  readonly fault: string;
}

/** Nova leaves a field out of the answers to a login that may not see it. */
export class HiddenField extends Error {
  override readonly name = 'HiddenField';
}

/** True for a server whose cell does not answer: Nova knows its ID, but not where it is. */
export const isOutOfReach = ({ status, name }: OutlinedServer): boolean => status === 'UNKNOWN' && name === undefined;

const namesOf = ({ id, name }: OutlinedServer): string => (name == null ? id : `${name} (${id})`);

/** @throws Error when its cell does not answer, Nova hides a field from this login, or the answer makes no sense */
export const serverIn = (outlined: OutlinedServer): NovaServer => {
  if (isOutOfReach(outlined)) throw new Error(`Nova cannot tell about server ${outlined.id}: its cell does not answer`);
  for (const [field, rule] of Object.entries(hostRights)) {
    if (field in outlined) continue;
    throw new HiddenField(
      `Nova hides ${field} of server ${namesOf(outlined)}: allow ${rule} to the role of the service`,
    );
  }
  return { ...parseServerItself(outlined), name: outlined.name ?? outlined.id };
};

/**
 * All servers of a list, without those whose cells do not answer.
 * @throws Error when Nova hides a field of all of them from this login
 */
export const readServers = async (
  getPage: (query: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<ServersAsRead> => {
  const listed = await allByLink(undefined, async (paging) => {
    const page = parseServers(await getPage({ all_tenants: '1', ...paging }));
    return { items: page.servers, links: page.servers_links };
  });
  return serversIn(listed);
};

/** A page that comes twice, or a server that moves between two pages, is in the list twice: the later entry counts. */
const serversIn = (listed: readonly unknown[]): ServersAsRead => {
  const servers = new Map<string, NovaServer>();
  const faults: { readonly item: unknown; readonly error: Error }[] = [];
  for (const item of listed) {
    try {
      const outlined = parseOutlinedServer(item);
      if (!isOutOfReach(outlined)) servers.set(keyOf(outlined.id), serverIn(outlined));
    } catch (error) {
      if (!(error instanceof OddAnswer || error instanceof HiddenField)) throw error;
      faults.push({ item, error });
    }
  }
  const hidden = faults.find(({ error }) => error instanceof HiddenField);
  if (servers.size === 0 && hidden !== undefined) throw hidden.error;
  return { servers: [...servers.values()], unread: faults.flatMap(({ item, error }) => unreadIn(item, error)) };
};

const hostField = 'OS-EXT-SRV-ATTR:host';

/** None when it is on no host. */
const unreadIn = (item: unknown, { message: fault }: Error): UnreadServer[] => {
  const host: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, hostField) : undefined;
  if (host === null) return [];
  return [{ host: typeof host === 'string' ? host : undefined, fault }];
};

/** Why nobody knows what is on the host, in words that follow "since"; undefined: all servers there can be read. */
export const whyUnread = (unread: readonly UnreadServer[], host: string): string | undefined => {
  const found = unread.find((one) => one.host === undefined || one.host === host);
  return found && `a server that is there, or may be, cannot be read: ${found.fault}`;
};

export class HostUnread extends Error {
  override readonly name = 'HostUnread';

  /** @param because follows "since" */
  constructor(
    host: string,
    readonly because: string,
  ) {
    super(`nobody knows what is on host ${host}, since ${because}`);
  }
}

/** @throws HostUnread */
export const refuseUnread = (unread: readonly UnreadServer[], host: string): void => {
  const why = whyUnread(unread, host);
  if (why !== undefined) throw new HostUnread(host, why);
};
