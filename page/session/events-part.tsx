/** The events of a session as they come, since the page was opened. */
import { eventInWords, sessionOf } from '../../rules/words/events';
import { useDesk } from '../desk';
import { Moment } from '../parts/times';

const shown = 12;

export const EventsPart = ({ sessionId }: { readonly sessionId: string }) => {
  const { feed } = useDesk();
  const events = feed.recent.value.filter(({ payload }) => sessionOf(payload) === sessionId).slice(0, shown);
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      {events.length === 0 && <p class="hint">None since you opened this page.</p>}
      <ol class="plain-list events" reversed>
        {events.map(({ id, type, timestamp, payload }) => (
          <li key={id}>
            <span class="hint">
              <Moment at={timestamp} seconds />
            </span>{' '}
            {eventInWords(type, payload)}
          </li>
        ))}
      </ol>
    </section>
  );
};
