/** The last events of a session, also those before the page was opened. */
import { eventInWords } from '../../rules/words/events';
import { LookNote } from '../parts/look-note';
import { Moment } from '../parts/times';
import type { SessionLooks } from './session-looks';

export const EventsPart = ({ looks }: { readonly looks: SessionLooks }) => {
  const events = looks.events.seen.value?.body;
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <LookNote look={looks.events} />
      {events?.length === 0 && <p class="hint">None yet.</p>}
      <ol class="plain-list events" reversed tabIndex={0} aria-labelledby="events">
        {events?.map(({ id, event_type: type, timestamp, payload }) => (
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
