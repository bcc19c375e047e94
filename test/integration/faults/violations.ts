/** The rules that must hold however often the service was killed: each violation in words, none when all is well. */
import type { TakenReply } from './persistent-manager';
import type { LoggedMove, SeenEvents, WhatHappened } from './what-happened';

const groupedBy = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const repeated = (keys: readonly string[]): string[] => [
  ...new Set(keys.filter((key, index) => keys.indexOf(key) !== index)),
];

const overlapping = (moves: readonly LoggedMove[]): boolean =>
  moves.some((move, index) => {
    const before = moves[index - 1];
    return before !== undefined && (before.endedAt === null || before.endedAt > move.startedAt);
  });

/** The cloud's own log shows that no move was done twice, and none without leave. */
const moveViolations = ({ moves, grants }: WhatHappened): string[] => {
  const unforced = moves.filter(({ forced }) => !forced);
  const done = moves.filter(({ status }) => status === 'done');
  const granted = groupedBy(grants, ({ instanceId }) => instanceId);
  const claimIds = new Set(grants.map(({ id }) => id));
  const ofInstance = [...groupedBy(moves, ({ instanceId }) => instanceId)];
  const tooOften = [...groupedBy(unforced, ({ instanceId }) => instanceId)].filter(
    ([instanceId, rows]) => rows.length > (granted.get(instanceId)?.length ?? 0),
  );
  return [
    ...repeated(unforced.map(({ claimId }) => claimId)).map((claim) => `claim ${claim} has two moves`),
    ...repeated(done.map((move) => `${move.instanceId} from ${move.source}`)).map((what) => `${what}: moved twice`),
    ...tooOften.map(([instanceId]) => `${instanceId} moved more often than granted`),
    ...ofInstance.filter(([, rows]) => overlapping(rows)).map(([instanceId]) => `${instanceId} moved twice at once`),
    ...moves
      .filter(({ claimId }) => !claimIds.has(claimId))
      .map(({ instanceId }) => `${instanceId} moved without leave`),
    ...moves.filter(({ status }) => status === 'running').map(({ instanceId }) => `${instanceId} still moves`),
  ];
};

const sameActions = (one: unknown, other: unknown): boolean => {
  const sorted = (actions: unknown): string => JSON.stringify(Object.entries(actions ?? {}).sort());
  return sorted(one) === sorted(other);
};

/** A reply that got its 200: its question is answered with it, and each action was carried out as it says. */
const replyViolations = ({ questions, moves }: WhatHappened, reply: TakenReply): string[] => {
  const name = `the reply to ${reply.state} of project ${reply.projectId}`;
  const question = questions.find(({ messageId }) => messageId === reply.messageId);
  if (question?.answer !== 'ACK') return [`${name} has no effect: its question is ${question?.status ?? 'unknown'}`];
  if (!sameActions(question.instanceActions, reply.actions)) return [`${name} is recorded with other actions`];
  return Object.entries(reply.actions).flatMap(([instanceId, action]) => {
    const move = moves.find((one) => one.instanceId === instanceId && one.source === question.hostname);
    return move?.action === action
      ? []
      : [`${name}: ${instanceId} left by ${move?.action ?? 'nothing'}, not ${action}`];
  });
};

/** An answer that is on record was given: its manager has had its 200. */
const answerViolations = ({ questions }: WhatHappened, taken: readonly TakenReply[]): string[] => {
  const logged = new Set(taken.map(({ messageId }) => messageId));
  return questions
    .filter(({ answer, messageId }) => answer !== null && !logged.has(messageId))
    .map(({ state, projectId }) => `an answer to ${state} of project ${projectId} is on record, but not in its log`);
};

const differs = (one: readonly string[], other: readonly string[]): boolean => one.join() !== other.join();

/** No event is missing or out of order, wherever it is read. */
const eventViolations = ({ recorded, onKafka, onStream }: SeenEvents): string[] => {
  const messageIds = recorded.map(({ messageId }) => messageId);
  const gaps = recorded.filter(({ seq }, index) => seq !== index + 1);
  return [
    ...gaps.map(({ seq }) => `the event before number ${seq} is missing`),
    ...(differs([...new Set(onKafka)], messageIds) ? ['Kafka has other events, or in another order'] : []),
    ...(differs(onStream, messageIds) ? ['the stream has other events, or in another order'] : []),
  ];
};

export const violations = (happened: WhatHappened, taken: readonly TakenReply[]): string[] => [
  ...moveViolations(happened),
  ...taken.flatMap((reply) => replyViolations(happened, reply)),
  ...answerViolations(happened, taken),
  ...happened.events.flatMap(eventViolations),
  ...happened.disabledHosts.map((host) => `host ${host} is still disabled`),
  ...happened.leftOver,
];
