/** Tells by the desktop, while nobody looks at the page, that a session of its reader needs somebody. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shortId } from '../../rules/words/times';
import { hashOf } from '../address';
import { asSummary } from '../client/api';
import type { Progress, Summary } from '../client/types';
import { type SignedIn, useSignedIn } from '../signed-in';
import { wantsNotices } from './consent';
import { type Need, needOf } from './needs';

/** Events come in groups: one look is for all of them. */
const settleMs = 2_000;
/** Not everything that a session needs has an event. */
const everyMs = 60_000;

export const useNotices = (): void => {
  const shared = useSignedIn();
  useEffect(() => watch(shared), [shared]);
};

const watch = (shared: SignedIn): (() => void) => {
  const told = new Map<string, Need['kind'] | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSoon = false;
  let isLeft = false;
  const look = async (tells: boolean): Promise<void> => {
    isSoon = false;
    if (!wantsNotices.peek() || document.visibilityState !== 'hidden') return;
    for (const summary of await summariesOfMine(shared)) {
      const need = needOf(summary);
      if (tells && need !== undefined && told.get(summary.session_id) !== need.kind) show(summary, need);
      told.set(summary.session_id, need?.kind);
    }
  };
  const lookAfter = (ms: number, tells: boolean): void => {
    clearTimeout(timer);
    // When the API does not answer, the next look tells.
    timer = setTimeout(() => void look(tells).then(again, again), ms);
  };
  const again = (): void => {
    if (!isSoon && !isLeft) lookAfter(everyMs, true);
  };
  const soon = (ms: number, tells: boolean): void => {
    if (isSoon) return;
    isSoon = true;
    lookAfter(ms, tells);
  };
  // Somebody who has just left the page has seen how things are.
  const onVisibility = (): void => soon(0, false);
  document.addEventListener('visibilitychange', onVisibility);
  const leave = effect(() => {
    if (shared.feed.newest.value !== undefined) soon(settleMs, true);
  });
  return () => {
    isLeft = true;
    leave();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
};

const mayNeedSomebody: readonly Progress['progress'][] = ['running', 'paused', 'failing', 'failed'];

/** The sessions that the reader created and that may need somebody. Without sign-in everybody is the same admin. */
const summariesOfMine = async (shared: SignedIn): Promise<readonly Summary[]> => {
  const { api, who } = shared;
  const mine = (await api.sessions()).filter(
    ({ created_by: by, progress }) => by === (who.name ?? who.role) && mayNeedSomebody.includes(progress),
  );
  return Promise.all(mine.map(({ session_id: id }) => summaryOf(shared, id)));
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
