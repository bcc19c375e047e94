/** Bodies of replies, parsed: the state of the reply, the answer, the actions, and IDs that must equal the path's. */
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import type { Id } from '../../rules/cloud/id';
import type { Reply } from '../../rules/questions/decide-reply';
import { findDifferingIds, type IdsOfPath } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import { InstanceReplySchema, ProjectReplySchema } from '../schemas/reply-schemas';

const parseProjectBody = createBodyParser(ProjectReplySchema, bodyDoesNotFit);
const parseInstanceBody = createBodyParser(InstanceReplySchema, bodyDoesNotFit);

const assertIdsOfPath = (body: object, path: IdsOfPath): void => {
  const differing = findDifferingIds(body, path);
  if (differing.length > 0) throw bodyDoesNotFit(differing);
};

const splitState = (text: string): Pick<Reply, 'answer' | 'state'> =>
  text.startsWith('NACK_')
    ? { answer: 'NACK', state: text.slice('NACK_'.length) }
    : { answer: 'ACK', state: text.slice('ACK_'.length) };

interface TimesBody {
  readonly not_before?: string | null;
  readonly instance_not_before?: Readonly<Record<string, string>> | null;
}

/** The schema has checked that they are times. */
const msOf = (time: string): number => parseMaintenanceAt(time)?.getTime() ?? 0;

const timesOf = ({ not_before: notBefore, instance_not_before: byInstance }: TimesBody): Pick<Reply, 'times'> => {
  const instances = Object.entries(byInstance ?? {}).map(([id, time]) => [id, msOf(time)] as const);
  if (typeof notBefore !== 'string' && instances.length === 0) return {};
  return {
    times: {
      instanceNotBeforeMs: Object.fromEntries(instances),
      ...(typeof notBefore === 'string' && { notBeforeMs: msOf(notBefore) }),
    },
  };
};

/** @throws ApiError 422 */
export const parseProjectReply = (given: unknown, path: IdsOfPath): Reply => {
  const body = parseProjectBody(given);
  assertIdsOfPath(body, path);
  // An empty action chooses nothing at this address.
  const instanceAction = body.instance_action || undefined;
  return {
    ...splitState(body.state),
    instanceActions: body.instance_actions ?? {},
    instanceAction,
    ...timesOf(body),
  };
};

/** @throws ApiError 422 */
export const parseInstanceReply = (given: unknown, path: IdsOfPath & { readonly instance_id: Id }): Reply => {
  const body = parseInstanceBody(given);
  assertIdsOfPath(body, path);
  return {
    ...splitState(body.state),
    instanceId: path.instance_id.text,
    instanceActions: body.instance_actions ?? {},
    instanceAction: body.instance_action,
    ...timesOf(body),
  };
};
