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
/** A look that took long rests this many times its length. */
const restFactor = 10;

export const useNotices = (): void => {
  const shared = useSignedIn();
  useEffect(() => watch(shared), [shared]);
};

const watch = (shared: SignedIn): (() => void) => {
  const looks = new NoticeLooks(shared);
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') looks.leave();
  };
  document.addEventListener('visibilitychange', onVisibility);
  const leaveFeed = effect(() => {
    if (shared.feed.newest.value !== undefined) looks.soon();
  });
  return () => {
    looks.stop();
    leaveFeed();
    document.removeEventListener('visibilitychange', onVisibility);
  };
};

/** One look after the other, with the pause between them. */
class NoticeLooks {
  readonly #told = new Map<string, Need['kind'] | undefined>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLooking = false;
  #isStopped = false;
  #isSoon = false;
  /** True until the look that follows leaving has begun: it tells nothing. */
  #hasJustLeft = false;
  #restMs = 0;

  constructor(private readonly shared: SignedIn) {}

  /** Somebody who has just left the page has seen how things are, also what an event before told. */
  leave(): void {
    this.#hasJustLeft = true;
    this.#goOn();
  }

  soon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    this.#goOn();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #goOn(): void {
    if (this.#isLooking || this.#isStopped) return;
    clearTimeout(this.#timer);
    const pauseMs = this.#hasJustLeft ? 0 : Math.max(this.#restMs, this.#isSoon ? settleMs : everyMs);
    this.#timer = setTimeout(() => void this.#look(), pauseMs);
  }

  async #look(): Promise<void> {
    const begunMs = Date.now();
    const tells = !this.#hasJustLeft;
    this.#isLooking = true;
    this.#isSoon = false;
    this.#hasJustLeft = false;
    // When the API does not answer, the next look tells.
    if (isWanted()) await this.#tell(tells).catch(() => undefined);
    this.#isLooking = false;
    this.#restMs = restFactor * (Date.now() - begunMs);
    this.#goOn();
  }

  async #tell(tells: boolean): Promise<void> {
    for (const summary of await summariesOfMine(this.shared)) {
      const { session_id: id } = summary;
      const need = needOf(summary);
      const isNews = need !== undefined && this.#told.get(id) !== need.kind;
      if (tells && isNews && !this.#hasJustLeft && !this.#isStopped && isWanted()) show(summary, need);
      this.#told.set(id, need?.kind);
    }
  }
}

const isWanted = (): boolean => wantsNotices.peek() && document.visibilityState === 'hidden';

const mayNeedSomebody: readonly Progress['progress'][] = ['running', 'closed', 'paused', 'failing', 'failed'];

/** The sessions that the reader created and that may need somebody. Without sign-in everybody is the same admin. */
const summariesOfMine = async (shared: SignedIn): Promise<readonly Summary[]> => {
  const { api, who } = shared;
  const mine = (await api.sessions()).filter(
    ({ created_by: by, progress }) => by === (who.name ?? who.role) && mayNeedSomebody.includes(progress),
  );
  // A session may go meanwhile: the others are told all the same.
  const found = await Promise.allSettled(mine.map(({ session_id: id }) => summaryOf(shared, id)));
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
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
