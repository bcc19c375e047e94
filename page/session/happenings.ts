/** What happened in a session: its events and what people did, in one order. */
import { nameOr, withShortIds } from '../../rules/words/names';
import { asSeen } from '../../rules/words/what-they-see';
import type { RecordEntry, SessionEvent } from '../client/types';
import { byNaturalOrder } from '../parts/natural-order';

export interface Happening {
  readonly key: string;
  readonly at: string;
  readonly words: string;
  /** The person, the token or the project that did it; empty: the session did. */
  readonly who: string;
  /** Why, in the words of whoever did it; empty: nobody said. */
  readonly reason: string;
  readonly host: string | null;
  readonly projectId: string | null;
  /** Its name, else the beginning of its ID. */
  readonly project: string | null;
}

/** The newest first. The record tells the acts of people, also those that are older than the events that are shown. */
export const happeningsOf = (events: readonly SessionEvent[], record: readonly RecordEntry[]): Happening[] =>
  [...events.filter(({ event_type: type }) => type !== 'maintenance.act').map(ofEvent), ...record.map(ofRecord)].sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at),
  );

const ofEvent = ({
  id,
  timestamp,
  words,
  host,
  project_id: projectId,
  project_name: name,
}: SessionEvent): Happening => ({
  ...{ key: `event ${id}`, at: timestamp, words, who: '', reason: '', host, projectId },
  project: projectId === null ? null : nameOr(projectId, name),
});

const ofRecord = (entry: RecordEntry): Happening => {
  const { at, did, project_id: projectId, project_name: name } = entry;
  const project = projectId === null ? null : nameOr(projectId, name);
  return {
    ...{ key: `record ${at} ${did}`, at, words: withShortIds(asSeen(did, 'page')), host: null, projectId, project },
    who: whoIn(entry, project),
    reason: entry.reason ?? '',
  };
};

/** Where everybody is admin, nobody has a name. */
const whoIn = ({ by, who }: RecordEntry, project: string | null): string => {
  if (project !== null) return who === null ? project : `${project} (${who})`;
  return who ?? by;
};

/** The projects that something happened to, by name. */
export const projectsIn = (happenings: readonly Happening[]): readonly (readonly [id: string, name: string])[] => {
  const names = new Map(
    happenings.flatMap(({ projectId, project }) => (projectId && project ? [[projectId, project]] : [])),
  );
  return [...names].sort(([, one], [, other]) => byNaturalOrder(one, other));
};

export interface HostHappenings {
  /** null: what is about the whole session. */
  readonly host: string | null;
  readonly happenings: readonly Happening[];
}

/** The host to which something happened last is first; what is about no host stands at the end. */
export const byHost = (happenings: readonly Happening[]): HostHappenings[] =>
  [...Map.groupBy(happenings, ({ host }) => host)]
    .map(([host, some]) => ({ host, happenings: some }))
    .sort((one, other) => Number(one.host === null) - Number(other.host === null));
