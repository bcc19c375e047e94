/** Finds the rights of the table that the service's login lacks. */
import type { MissingRight } from '../../../rules/cloud/cloud-facts';
import type { Exchange } from '../../http/exchange';
import { withServiceToken } from '../../keystone/service-tokens';
import { type Connection, connectNova, connectPlacement } from '../nova/connect';
import { type Right, rightsTable } from './table';
import { type SampleServer, tryListing, tryPlacement, tryServer, tryServers } from './try-rights';

export interface RightsToTry extends Connection {
  /** Keystone's address; ends in /v3. */
  readonly authUrl: string;
}

/** @throws what the calls throw that no refusal is: NoAnswer, KeystoneAway, KeystoneRefusal */
export const findMissingRights = async (to: RightsToTry): Promise<readonly MissingRight[]> => {
  const { client: nova } = connectNova(to);
  const { projectId } = await to.tokens.current();
  const [listing, { refusing, server }, placement] = await Promise.all([
    tryListing(nova),
    tryServers(nova, projectId),
    unlessAway(tryPlacementOf(to)),
  ]);
  const acting = server === undefined ? [] : await tryServer(nova, server);
  const names = server === undefined ? [] : await unlessAway(tryNames(to, server));
  return namedRights(new Set([...listing, ...refusing, ...acting, ...placement, ...names]));
};

/** What only limits the service stays unknown while it cannot be tried: sessions go on. */
const unlessAway = (trial: Promise<readonly string[]>): Promise<readonly string[]> => trial.catch(() => []);

/** Placement checks a right before it looks for the provider. */
const tryPlacementOf = async (to: RightsToTry): Promise<readonly string[]> => {
  const client = await connectPlacement(to);
  return client === undefined ? [] : tryPlacement(client, '00000000-0000-4000-8000-000000000000');
};

const tryNames = async (
  { authUrl, tokens, exchange }: RightsToTry,
  server: SampleServer,
): Promise<readonly string[]> => {
  const { tenant_id: projectId } = server;
  if (projectId === undefined) return [];
  const url = `${authUrl}/projects/${encodeURIComponent(projectId)}`;
  const { status } = await withServiceToken(tokens, ({ secret }): ReturnType<Exchange> =>
    exchange({ method: 'GET', url, headers: { 'x-auth-token': secret } }),
  );
  return status === 403 ? ['identity:get_project'] : [];
};

/** Names rights in the order of the table. A rule of another name refused a call that sessions need. */
export const namedRights = (rules: ReadonlySet<string>): readonly MissingRight[] => {
  const others = [...rules].filter((rule) => !rightsTable.some((right) => right.rule === rule));
  return [
    ...rightsTable.filter(({ rule }) => rules.has(rule)).map(asMissing),
    ...others.map((rule): MissingRight => ({ rule, neededTo: 'look after hosts and servers', severity: 'stops' })),
  ];
};

const asMissing = ({ rule, neededTo, lost }: Right): MissingRight =>
  lost === undefined ? { rule, neededTo, severity: 'stops' } : { rule, neededTo, severity: 'limits', lost };
