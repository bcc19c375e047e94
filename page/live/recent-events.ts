/** The last events, newest first. Apart from event-feed.ts, which runs in a browser only. */
interface WithId {
  readonly id: string;
}

const kept = 500;

/** An event that comes again, after the stream was cut, is there once. */
export const withEvent = <E extends WithId>(recent: readonly E[], event: E): readonly E[] =>
  recent.some(({ id }) => id === event.id) ? recent : [event, ...recent].slice(0, kept);
