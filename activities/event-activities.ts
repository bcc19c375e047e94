/** Bringing events to the bus. */
import type { Services } from './services';

export const createEventActivities = ({ publisher }: Pick<Services, 'publisher'>) => ({
  /** Publishes what the session has unpublished, in order; throws, to be retried, while the bus is away. */
  publishEvents: ({ sessionId }: { readonly sessionId: string }): Promise<void> => publisher.publish(sessionId),
});

export type EventActivities = ReturnType<typeof createEventActivities>;
