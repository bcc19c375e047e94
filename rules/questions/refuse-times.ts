/** Decides which times a reply may have (`not_before`, `instance_not_before`): those that its question allows. */
import { keyOf } from '../cloud/id';
import type { Question } from './question';
import { namedInstance, type Reply, type ReplyCircumstances, type ReplyRefusal } from './reply';

export interface TimedReply extends Pick<ReplyCircumstances, 'names'> {
  readonly question: Question;
  readonly reply: Reply;
  readonly nowMs: number;
}

/** Undefined: the question takes the times of the reply, or the reply has none. */
export const refusalOfTimes = (timed: TimedReply): ReplyRefusal | undefined => {
  const { question, reply, nowMs } = timed;
  const [first, ...others] = timesIn(reply);
  if (first === undefined) return undefined;
  const latestMs = question.notBeforeLatestMs;
  if (reply.answer === 'NACK') {
    return refuse(first.pointer, 'a refusal has no time', `accept with ACK_${reply.state} and the time`);
  }
  if (latestMs === undefined) {
    const because = `work cannot be put off by the answer to ${reply.state} in this session`;
    return refuse(first.pointer, because, 'leave the time out, or ask the admin of the session to set postpone');
  }
  const at = [first, ...others].find(({ atMs }) => atMs > latestMs || atMs < nowMs);
  if (at !== undefined) {
    const because = `${timeOf(at.atMs)} is ${at.atMs < nowMs ? 'in the past' : 'later than not_before_latest'}`;
    return refuse(at.pointer, because, `name a time from now until ${timeOf(latestMs)}`);
  }
  return misplacedTime(timed);
};

interface TimeAt {
  readonly pointer: string;
  readonly atMs: number;
}

const timesIn = ({ times }: Reply): readonly TimeAt[] => {
  const { notBeforeMs, instanceNotBeforeMs = {} } = times ?? {};
  return [
    ...(notBeforeMs === undefined ? [] : [{ pointer: '/not_before', atMs: notBeforeMs }]),
    ...Object.entries(instanceNotBeforeMs).map(([id, atMs]) => ({ pointer: `/instance_not_before/${id}`, atMs })),
  ];
};

/** A time for an instance that the question is not about would be lost. */
export const misplacedTime = ({
  question,
  reply,
  names,
}: Pick<TimedReply, 'question' | 'reply' | 'names'>): ReplyRefusal | undefined => {
  const asked = new Set(question.instanceIds.map(keyOf));
  const other = Object.keys(reply.times?.instanceNotBeforeMs ?? {}).find((id) => !asked.has(keyOf(id)));
  if (other === undefined) return undefined;
  return {
    kind: 'refuse',
    code: 'CHOICE_MISPLACED',
    pointer: `/instance_not_before/${other}`,
    because: `instance_not_before names instance ${namedInstance(other, names)}, which this question is not about`,
    hint: `the question is about ${question.instanceIds.map((id) => namedInstance(id, names)).join(', ')}`,
  };
};

const refuse = (pointer: string, because: string, hint: string): ReplyRefusal => ({
  kind: 'refuse',
  code: 'NOT_BEFORE_REFUSED',
  because,
  pointer,
  hint,
});

const timeOf = (atMs: number): string => new Date(atMs).toISOString();
