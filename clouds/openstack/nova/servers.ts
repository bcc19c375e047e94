/**
 * Reads servers out of Nova's answers. A server that lacks what decisions rest on is an error with its name: never a
 * server without a host, or none at all.
 */
import { hostRights } from '../rights/table';
import { type NovaServer, type OutlinedServer, parseServerItself } from './answers';

/** True for a server whose cell does not answer: Nova knows its ID, but not where it is. */
export const isOutOfReach = ({ status, name }: OutlinedServer): boolean => status === 'UNKNOWN' && name === undefined;

const namesOf = ({ id, name }: OutlinedServer): string => (name == null ? id : `${name} (${id})`);

/** @throws Error when its cell does not answer, or Nova hides a field from this login */
export const serverIn = (outlined: OutlinedServer): NovaServer => {
  if (isOutOfReach(outlined)) throw new Error(`Nova cannot tell about server ${outlined.id}: its cell does not answer`);
  for (const [field, rule] of Object.entries(hostRights)) {
    if (field in outlined) continue;
    throw new Error(`Nova hides ${field} of server ${namesOf(outlined)}: allow ${rule} to the role of the service`);
  }
  return { ...parseServerItself(outlined), name: outlined.name ?? outlined.id };
};

/**
 * The servers of a list, without those whose cells do not answer.
 * @throws Error as `serverIn`
 */
export const serversIn = (listed: readonly OutlinedServer[]): NovaServer[] =>
  listed.filter((one) => !isOutOfReach(one)).map(serverIn);
