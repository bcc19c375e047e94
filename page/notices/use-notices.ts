/** Tells by the desktop, while nobody looks at the page, that a session of its reader needs somebody. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { sessionOf } from '../../rules/words/events';
import { shortId } from '../../rules/words/times';
import { hashOf } from '../address';
import { asSummary } from '../client/api';
import type { Summary } from '../client/types';
import { type SignedIn, useSignedIn } from '../signed-in';
import { wantsNotices } from './consent';
import { type Need, needOf } from './needs';

/** Events come in groups: one look at a session is for all of them. */
const settleMs = 2_000;

export const useNotices = (): void => {
  const shared = useSignedIn();
  useEffect(() => watch(shared), [shared]);
};

const watch = (shared: SignedIn): (() => void) => {
  const told = new Map<string, Need['kind'] | undefined>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const look = async (sessionId: string): Promise<void> => {
    if (!wantsNotices.peek() || document.visibilityState !== 'hidden' || !(await isMine(shared, sessionId))) return;
    const summary = await summaryOf(shared, sessionId);
    const need = needOf(summary);
    if (need !== undefined && told.get(sessionId) !== need.kind) show(summary, need);
    told.set(sessionId, need?.kind);
  };
  const leave = effect(() => {
    const event = shared.feed.newest.value;
    const sessionId = event === undefined ? '' : sessionOf(event.payload);
    if (sessionId === '' || !wantsNotices.peek()) return;
    clearTimeout(timers.get(sessionId));
    // A session that cannot be seen now is looked at again at its next event.
    timers.set(
      sessionId,
      setTimeout(() => void look(sessionId).catch(() => undefined), settleMs),
    );
  });
  return () => {
    leave();
    for (const timer of timers.values()) clearTimeout(timer);
  };
};

/** Without sign-in everybody is the same admin. */
const isMine = async ({ api, who }: SignedIn, sessionId: string): Promise<boolean> => {
  const found = (await api.sessions()).find(({ session_id: id }) => id === sessionId);
  return found?.created_by === (who.name ?? who.role);
};

const summaryOf = async ({ api }: SignedIn, sessionId: string): Promise<Summary> =>
  asSummary(
    await api.http.call('get', '/v1/maintenance/{session_id}/detail', {
      params: { session_id: sessionId },
      query: { view: 'summary' },
    }),
  );

const show = ({ session_id: id, name }: Summary, { kind, words }: Need): void => {
  const notice = new Notification(`Session ${name ?? shortId(id)}`, { body: words, tag: `${id} ${kind}` });
  notice.onclick = () => {
    window.focus();
    location.hash = hashOf({ name: 'session', sessionId: id });
    notice.close();
  };
};
