/** Terms that a cloud told of the instances of a session, when it was looked at last. */
import { keyOf } from '../../rules/cloud/id';
import type { ToldTerms } from '../../rules/cloud/terms';
import { toldBy, type ToldByCloud } from '../../rules/terms/told-terms';
import type { Queryable } from '../database';

interface InstancesInSession {
  readonly sessionId: string;
  readonly instanceIds: readonly string[];
}

export const findToldTerms = async (
  db: Queryable,
  { sessionId, instanceIds }: InstancesInSession,
): Promise<ToldByCloud> =>
  toldBy(
    await db.$queryRaw<{ instanceId: string; projectId: string; terms: ToldTerms }[]>`
      SELECT instance_id AS "instanceId", project_id AS "projectId", terms FROM session_instance
      WHERE session_id = ${sessionId}::uuid AND instance_key = ANY(${instanceIds.map(keyOf)}::text[])
        AND terms IS NOT NULL`,
  );
