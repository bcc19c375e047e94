/** Shows what is coming for a project as a calendar (RFC 5545), to which people subscribe. */
import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { WordOfProject } from '../../prisma/coming/told-coming';
import type { ComingStatus } from '../../rules/coming/coming';

/** Calendars ask again after this time, as far as they ask the calendar itself. */
const refreshSeconds = 900;
/** RFC 5545: an entry ends later than it starts. */
const leastMs = 60_000;

const statuses: Readonly<Record<ComingStatus, ICalEventStatus>> = {
  inquiring: ICalEventStatus.TENTATIVE,
  scheduled: ICalEventStatus.CONFIRMED,
  executing: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
  failed: ICalEventStatus.TENTATIVE,
  canceled: ICalEventStatus.CANCELLED,
};

export const calendarOf = (words: readonly WordOfProject[], projectId: string): string => {
  const calendar = ical({
    name: `Maintenance of project ${projectId}`,
    prodId: { company: 'Parley', product: 'Coming', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  for (const word of words) {
    calendar.createEvent({
      id: `${word.sessionId}.${word.instanceKey}@parley`,
      sequence: word.sequence,
      ...{ start: word.startsAt, end: new Date(Math.max(word.endsAt.getTime(), word.startsAt.getTime() + leastMs)) },
      ...{ stamp: word.updatedAt, created: word.createdAt, lastModified: word.updatedAt },
      status: statuses[word.status],
      // It takes nobody's time.
      transparency: ICalEventTransparency.TRANSPARENT,
      summary: [word.instanceName, word.impact].filter((part) => part !== null).join(': '),
      description: descriptionOf(word),
    });
  }
  return calendar.toString();
};

const descriptionOf = ({ status, latestAt, reason, instanceId, sessionId }: WordOfProject): string =>
  [
    `Status: ${status}`,
    `Starts at the latest: ${latestAt.toISOString()}`,
    ...(reason === null ? [] : [`Reason: ${reason}`]),
    `Instance: ${instanceId}`,
    `Session: ${sessionId}`,
  ].join('\n');
