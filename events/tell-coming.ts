/** Records what is worth telling to the owners of instances, as events, together with the word that was told. */
import { storeToldComing } from '../prisma/coming/told-coming';
import type { Transaction } from '../prisma/database';
import { keyOf } from '../rules/cloud/id';
import type { ComingTelling } from '../rules/coming/worth-telling';
import type { ComingNotice, EventDraft, EventDrafts } from './drafts';
import { appendEvents } from './outbox';

/** An event of that many instances stays far below what a broker takes. */
const mostInEvent = 100;

/** One event for each project, or several where it has many instances. Call it under the lock of the session's row. */
export const recordTellings = async (
  tx: Transaction,
  drafts: Pick<EventDrafts, 'coming'>,
  {
    sessionId,
    reason,
    tellings,
  }: Pick<ComingNotice, 'sessionId' | 'reason'> & { readonly tellings: readonly ComingTelling[] },
): Promise<void> => {
  await storeToldComing(
    tx,
    sessionId,
    tellings.map(({ word }) => word),
  );
  const told = tellings.flatMap(({ word, change }) => (change === undefined ? [] : [{ word, change }]));
  const ofProjects = [...Map.groupBy(told, ({ word: { projectId } }) => keyOf(projectId)).values()];
  const events = ofProjects.flatMap((changes) =>
    partsOf(changes).map((coming): EventDraft => drafts.coming({ sessionId, reason, coming })),
  );
  await appendEvents(tx, events);
};

const partsOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / mostInEvent) }, (_, part) =>
    items.slice(part * mostInEvent, (part + 1) * mostInEvent),
  );
