/**
 * Asks placement, once for all servers that need the same, which hosts have room for them. Returns the hosts that have
 * it by all lists and that placement does not offer: it knows of bookings and limits that no list shows.
 */
import { fewAtOnce } from '../../../calls/few-at-once';
import { createShortMemory } from '../../../calls/short-memory';
import { waitAtMost } from '../../../calls/time-limit';
import type { CloudInstance, ExpectedTargets, NotOffered } from '../../../rules/cloud/cloud-facts';
import { amountWords } from '../../../rules/words/amount-words';
import { type FleetLook, zoneIdsFor } from '../classes/fleet-look';
import type { NovaServer } from '../nova/answers';
import { candidateQuery, type CandidateSearch, isCandidate } from './candidates';

export interface NotOfferedSources {
  readonly look: () => Promise<FleetLook>;
  readonly search: CandidateSearch;
  /** The server that a listed instance was made from. */
  readonly serverOf: (instance: CloudInstance) => NovaServer | undefined;
  /** The time in which such a host may still be offered: a booking may be about to end. */
  readonly noHostSeconds: number;
  readonly nowMs?: () => number;
  /** The longest time that a look waits for placement. A later answer counts at the next look. */
  readonly mostWaitMs?: number;
}

/** One answer lists every host of the cloud, so it is kept for longer than what is asked before a single move. */
const keepMs = 60_000;
/** Asks again soon where placement did not tell. */
const keepUnsureMs = 20_000;
/** Asks again sooner where a host is not offered: a server that was just deleted is booked for a second or two more. */
const keepRefusingMs = 10_000;
const usualWaitMs = 5_000;
/** Calls to placement that wait at the same time. */
const atOnce = 4;
/** Limits the memory: servers that need the same ask the same. */
const mostKept = 1_000;

/** Words for a target that has the room by all numbers. */
export const notOfferedWords = ({ amounts }: Pick<CloudInstance, 'amounts'>): string =>
  `placement does not offer it for ${amountWords(amounts)}, although so much is free there`;

/** Classes of servers that ask the same of placement. */
interface AskedAlike {
  readonly query: string;
  readonly expected: readonly ExpectedTargets[];
}

export const createNotOffered = (
  sources: NotOfferedSources,
): ((expected: readonly ExpectedTargets[]) => Promise<readonly NotOffered[]>) => {
  const { look, serverOf, noHostSeconds, nowMs = Date.now, mostWaitMs = usualWaitMs } = sources;
  const answers = createKnownAnswers(nowMs);
  return async (expected) => {
    const seen = await look();
    const queryOf = ({ instance }: ExpectedTargets): string => queryFor(serverOf(instance), seen);
    const asked = [...Map.groupBy(expected, queryOf)].map(([query, alike]) => ({ query, expected: alike }));
    const renew = (one: AskedAlike) => answers.renew(one.query, () => readRefusing(sources, seen, one));
    await waitAtMost(fewAtOnce(asked, renew, atOnce), mostWaitMs);
    return asked.flatMap((one) => notOfferedIn(one, answers.since(one.query), { noHostSeconds, nowMs: nowMs() }));
  };
};

/** Empty where the server is unknown. */
const queryFor = (server: NovaServer | undefined, seen: FleetLook): string =>
  server === undefined ? '' : candidateQuery(server, zoneIdsFor(server, seen));

/** The hosts that placement does not offer. It tells nothing of some hosts; undefined: of none. */
const readRefusing = async (
  { search }: NotOfferedSources,
  { sizes }: FleetLook,
  { query, expected }: AskedAlike,
): Promise<readonly string[] | undefined> => {
  const candidates = query === '' ? undefined : await search.find(query);
  if (candidates === undefined) return undefined;
  return [...new Set(expected.flatMap(({ hosts }) => hosts))].filter((host) => {
    const size = sizes.get(host);
    return size?.toldBy === 'placement' && isCandidate(candidates, size.hypervisorIds) === false;
  });
};

const notOfferedIn = (
  { expected }: AskedAlike,
  since: ReadonlyMap<string, number>,
  { noHostSeconds, nowMs }: { readonly noHostSeconds: number; readonly nowMs: number },
): readonly NotOffered[] =>
  expected.flatMap(({ instance, hosts, refusalClass }) =>
    hosts.flatMap((target): NotOffered[] => {
      const sinceMs = since.get(target);
      if (sinceMs === undefined) return [];
      const passesInSeconds = (sinceMs - nowMs) / 1000 + noHostSeconds;
      const reason = notOfferedWords(instance);
      return [{ refusalClass, target, reason, ...(passesInSeconds > 0 && { passesInSeconds }) }];
    }),
  );

const keptFor = (refusing: readonly string[] | undefined): number => {
  if (refusing === undefined) return keepUnsureMs;
  return refusing.length > 0 ? keepRefusingMs : keepMs;
};

type ReadRefusing = () => Promise<readonly string[] | undefined>;

interface NotOfferedBy {
  /** Set while placement is asked. */
  reading?: Promise<void>;
  untilMs: number;
  /** The hosts that are not offered, and since when. */
  since: ReadonlyMap<string, number>;
}

const createKnownAnswers = (nowMs: () => number) => {
  const kept = createShortMemory<string, NotOfferedBy>(mostKept);
  const answerTo = (query: string): NotOfferedBy => {
    const known = kept.find(query);
    if (known !== undefined) return known;
    const unread: NotOfferedBy = { untilMs: 0, since: new Map() };
    kept.keep(query, unread);
    return unread;
  };
  const read = async (answer: NotOfferedBy, readRefusing: ReadRefusing): Promise<void> => {
    const refusing = await readRefusing();
    answer.since = new Map((refusing ?? []).map((host) => [host, answer.since.get(host) ?? nowMs()]));
    answer.untilMs = nowMs() + keptFor(refusing);
  };
  return {
    since: (query: string) => answerTo(query).since,
    /** Reads what is old, by one call at a time. */
    async renew(query: string, readRefusing: ReadRefusing): Promise<void> {
      const answer = answerTo(query);
      if (nowMs() < answer.untilMs) return;
      answer.reading ??= read(answer, readRefusing).finally(() => {
        delete answer.reading;
      });
      await answer.reading;
    },
  };
};
