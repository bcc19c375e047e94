/** The blockers of a plan that records and the cloud tell, beside those that it shares with the summary. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { Database } from '../../prisma/database';
import { findQuestions } from '../../prisma/questions/question-rounds';
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { CloudHost } from '../../rules/cloud/cloud-facts';
import type { Eviction } from '../../rules/cloud/eviction';
import { unlistedAmong, unlistedDoubt } from '../../rules/cloud/unlisted';
import { type Blocker, blocker } from '../../rules/obstacles/blockers';
import type { CreateSessionBody } from '../schemas/session-schemas';
import { askCloud } from './ask-cloud';
import type { CheckedRequest } from './check-request';
import type { PlanFacts } from './plan-facts';
import { hostsWithoutAction } from './standing-blockers';

export interface RequestFacts {
  readonly body: CreateSessionBody;
  readonly checked: CheckedRequest;
  readonly facts: PlanFacts;
  readonly maxSessions: number;
  /** Workflows, by name. */
  readonly known: ReadonlyMap<string, unknown>;
}

export const blockersOfRequest = (request: RequestFacts): readonly Blocker[] => {
  const { facts, body, checked, maxSessions: most, known } = request;
  const { workflow } = body;
  const count = facts.unfinished.length;
  return [
    ...(count < most ? [] : [blocker('too_many_sessions', { count, most })]),
    ...hostsOfOthers(request),
    ...(known.has(workflow) ? [] : [blocker('workflow_not_known', { workflow })]),
    ...hostsWithoutAction({ sessionId: workflow, actions: checked.actions, hosts: checked.hosts, isCreated: false }),
    ...hostsThatSeemGone(checked.gone),
  ];
};

const hostsOfOthers = ({ checked, facts }: RequestFacts): readonly Blocker[] => {
  const ownerOf = new Map(facts.facts.hosts.map(({ hostname, sessionId }) => [hostname, sessionId]));
  return checked.hosts.flatMap(({ hostname }) => {
    const sessionId = ownerOf.get(hostname);
    return sessionId === undefined ? [] : [blocker('host_of_another_session', { hostname, sessionId })];
  });
};

/** Hosts that the cloud lists, and a session leaves out. */
export const hostsThatSeemGone = (hosts: readonly Pick<CloudHost, 'name' | 'seemsGone'>[]): readonly Blocker[] =>
  hosts.flatMap(({ name: hostname, seemsGone: why }) =>
    why === undefined ? [] : [blocker('host_left_out', { hostname, why })],
  );

export const answersAwaited = async (db: Database, { id }: SessionProgress): Promise<readonly Blocker[]> => {
  const open = await findQuestions(db, { sessionId: id, status: 'open' });
  return open.map((question) => blocker('answer_awaited', question));
};

/** Each costs the cloud a few requests. The session itself looks at every host. */
const mostLookedAt = 100;
const mostAtOnce = 8;

/** The rights that the cloud lacks, and hosts on which something may be that cannot be moved: no work begins there. */
export const blockersOfCloud = async (
  cloud: CloudDriver,
  facts: PlanFacts,
  eviction: Eviction | null,
): Promise<readonly Blocker[]> => {
  const missing = await askCloud(cloud, (asked) => asked.missingRights(eviction));
  return [...missing.map((right) => blocker('cloud_right_missing', right)), ...(await hostsInDoubt(cloud, facts))];
};

const hostsInDoubt = async (cloud: CloudDriver, { input, listed }: PlanFacts): Promise<readonly Blocker[]> => {
  const waiting = input.fleet.hosts.filter(
    ({ work }) => work?.sessionId === input.sessionId && work.phase === 'waiting',
  );
  const names = waiting.slice(0, mostLookedAt).map(({ name }) => name);
  const blockers: Blocker[] = [];
  for (let at = 0; at < names.length; at += mostAtOnce) {
    const some = names.slice(at, at + mostAtOnce);
    blockers.push(
      ...(await askCloud(cloud, (asked) => Promise.all(some.map((name) => doubtsOn(asked, name, listed))))).flat(),
    );
  }
  return blockers;
};

/** A plan rests on the list of all instances, so what that lacks is in doubt. It is read again: some may have come. */
const doubtsOn = async (
  cloud: CloudDriver,
  hostname: string,
  { instances: all }: PlanFacts['listed'],
): Promise<readonly Blocker[]> => {
  const { doubts, instances } = await cloud.whatIsOn(hostname);
  const isAnyUnlisted = unlistedAmong(instances, all).length > 0;
  const unlisted = isAnyUnlisted ? unlistedAmong(instances, await cloud.listInstances()) : [];
  return [...doubts, ...unlisted.map((instance) => unlistedDoubt(hostname, instance))].map((doubt) =>
    blocker('host_in_doubt', { hostname, ...doubt }),
  );
};
