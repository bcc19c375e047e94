/** Shows coming events of instances in the form of Azure's Scheduled Events. */
import type { WordOfProject } from '../../prisma/coming/told-coming';
import type { ScheduledEventBody, ScheduledEventsBody } from '../schemas/scheduled-event-schemas';

/** An instance that its owner replaces stops, too. */
const typeOf = (impact: string | null): ScheduledEventBody['EventType'] => {
  if (impact === 'LIVE_MIGRATE') return 'Freeze';
  return impact === 'EVICTION' ? 'Terminate' : 'Redeploy';
};

/** An event is gone once it is over, canceled or failed. */
export const shownAsEvents: readonly WordOfProject['status'][] = ['inquiring', 'scheduled', 'executing'];

/** @param incarnation the newest revision, also of what is gone */
export const scheduledEventsOf = (words: readonly WordOfProject[], incarnation: number): ScheduledEventsBody => ({
  DocumentIncarnation: incarnation,
  Events: words.map(eventOf),
});

const eventOf = (word: WordOfProject): ScheduledEventBody => ({
  EventId: word.id,
  EventType: typeOf(word.impact),
  ResourceType: 'VirtualMachine',
  Resources: [word.instanceName],
  EventStatus: word.status === 'executing' ? 'Started' : 'Scheduled',
  NotBefore: word.status === 'executing' ? '' : word.startsAt.toUTCString(),
  Description: word.reason ?? 'Maintenance of the host',
  EventSource: 'Platform',
  DurationInSeconds: secondsOf(word),
});

/** Only a cold move stops the instance for as long as it takes. */
const secondsOf = ({ impact, startsAt, endsAt }: WordOfProject): number => {
  const seconds = Math.round((endsAt.getTime() - startsAt.getTime()) / 1000);
  return impact === 'MIGRATE' && seconds > 0 ? seconds : -1;
};
