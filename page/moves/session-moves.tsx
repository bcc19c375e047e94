/** The map of the moves of a session. */
import { useMemo } from 'preact/hooks';
import type { BegunMove } from '../client/types';
import { useLabels } from '../fleet/use-labels';
import { useLook } from '../live/use-look';
import { LookNote } from '../parts/look-note';
import { useSignedIn } from '../signed-in';
import type { SessionHosts } from '../timeline/session-timeline';
import { readMoves } from './known-moves';
import { MovesView } from './moves-view';

export const SessionMoves = ({ summary, plan, shown, atMs }: SessionHosts) => {
  const { api } = useSignedIn();
  const { session_id: id } = summary;
  const read = useMemo(() => readMoves((since) => api.moves(id, since)), [api, id]);
  const look = useLook<readonly BegunMove[]>(`moves ${id}`, {
    read: async () => ({ body: await read() }),
    everyMs: 10_000,
  });
  const labelsOf = useLabels();
  const names = useMemo(() => new Set(shown.map(({ hostname }) => hostname)), [shown]);
  const isShown = useMemo(() => (hostname: string) => names.has(hostname), [names]);
  const begun = look.seen.value?.body;
  return (
    <>
      <LookNote look={look} />
      {begun && <MovesView begun={begun} plan={plan} nowMs={atMs} labelsOf={labelsOf} isShown={isShown} />}
    </>
  );
};
