/** An event as words: the same in the terminal and on the page, with names as far as whoever tells it knows them. */
import { nameOr, withShortIds } from './names';
import { stateInWords } from './states';
import { duration } from './times';

type EventContent = Readonly<Record<string, unknown>>;

/** A move that has ended. */
export interface MoveToTell {
  /** Empty: its project chose the place. */
  readonly target: string;
  readonly seconds: number;
}

/** What is known beside the event. Left out: nothing is, and IDs are shortened. */
export interface EventNames {
  readonly project?: (id: string) => string | undefined;
  readonly instance?: (id: string) => string | undefined;
  /** The move with whose end the event was told. */
  readonly move?: (instanceId: string) => MoveToTell | undefined;
}

const namesShown = 3;

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The ID of the session that the event is about. */
export const sessionOf = (payload: EventContent): string => text(payload['session_id']);

/** What admins call it; events for projects have none. */
export const sessionNameOf = (payload: EventContent): string => text(payload['session_name']);

/** The IDs of the instances that the event names. A link to a list of instances names none. */
export const instancesOf = ({ instance_ids: ids }: EventContent): readonly string[] => {
  if (Array.isArray(ids)) return ids.map(text);
  const one = text(ids);
  return one === '' || one.includes('/') ? [] : [one];
};

/** The IDs of the instances whose names the words of an event show. */
export const instancesToName = (payload: EventContent): readonly string[] => {
  const ids = instancesOf(payload);
  return ids.length > namesShown ? [] : ids;
};

/** The ID of the instance whose move the words of an event tell; undefined: they tell none. */
export const movedInstanceOf = (payload: EventContent): string | undefined =>
  payload['state'] === 'INSTANCE_ACTION_DONE' ? instancesOf(payload)[0] : undefined;

export const eventInWords = (type: string, payload: EventContent, names: EventNames = {}): string => {
  switch (type) {
    case 'maintenance.host':
      return hostInWords(text(payload['host']), text(payload['state']));
    case 'maintenance.session':
      return sessionInWords(payload);
    case 'maintenance.planned':
      return plannedInWords(payload, names);
    case 'maintenance.coming':
      return `${projectIn(payload, names)} is told what is coming for ${countOf(payload['coming'])}`;
    case 'maintenance.act':
      return actInWords(payload);
    default:
      return `${type} ${text(payload['state'])}`;
  }
};

const hostInWords = (host: string, state: string): string => {
  if (state === 'IN_MAINTENANCE') return `${host} is empty: its maintenance begins`;
  return state === 'MAINTENANCE_COMPLETE' ? `${host} is maintained and back` : `${host} ${stateInWords(state)}`;
};

const actInWords = (payload: EventContent): string => {
  const [who, reason] = [text(payload['who']), text(payload['reason'])];
  const person = who === '' ? text(payload['by']) : who;
  return `${person} ${withShortIds(text(payload['did']))}${reason === '' ? '' : `: ${reason}`}`;
};

const sessionInWords = (payload: EventContent): string => {
  const [state, failure] = [text(payload['state']), text(payload['failure'])];
  const far = `${text(payload['percent_done'])} % done`;
  const held = heldInWords(payload['held']);
  if (held !== undefined) return held;
  switch (state) {
    case 'IN_MAINTENANCE':
      return `a host goes into maintenance; ${far}`;
    case 'MAINTENANCE_DONE':
      return `the session is done; ${far}`;
    case 'MAINTENANCE_FAILED':
      return `the session has failed${failure === '' ? '' : `: ${withShortIds(failure)}`}; ${far}`;
    default:
      return `the session is at ${stateInWords(state)}; ${far}`;
  }
};

const heldInWords = (held: unknown): string | undefined => {
  if (typeof held !== 'object' || held === null) return undefined;
  const { host, task } = held as EventContent;
  return `${text(host)} waits for a person${text(task) === '' ? '' : `: ${text(task)}`}`;
};

/** What a project is asked, by the state that it is asked about. */
const questions: Readonly<Record<string, (instances: string) => string>> = {
  MAINTENANCE: () => 'is asked whether the session may begin',
  SCALE_IN: () => 'is asked to scale in',
  PREPARE_MAINTENANCE: (instances) => `is asked how ${instances || 'its instances'} may leave, before the maintenance`,
  PLANNED_MAINTENANCE: (instances) => `is asked how ${instances || 'its instances'} may leave`,
  MAINTENANCE_COMPLETE: () => 'is asked to take note of the end',
};

const plannedInWords = (payload: EventContent, names: EventNames): string => {
  const state = text(payload['state']);
  if (state.startsWith('INSTANCE_ACTION_')) return actionInWords(state, payload, names);
  const instances = instancesIn(payload, names);
  const question =
    questions[state] ?? ((some: string) => `is asked about ${stateInWords(state)}${some && ` of ${some}`}`);
  const answered = payload['answered_by'] === 'terms' ? ', which its terms answer' : '';
  return `${projectIn(payload, names)} ${question(instances)}${answered}`;
};

const actionInWords = (state: string, payload: EventContent, names: EventNames): string => {
  const id = movedInstanceOf(payload);
  const because = text(payload['reason']);
  const reason = because === '' ? '' : `: ${withShortIds(because)}`;
  const who = `${instancesIn(payload, names) || 'an instance'} of ${projectIn(payload, names)}`;
  if (state === 'INSTANCE_ACTION_DONE') return `${who} moved${whereIn(id && names.move?.(id))}${reason}`;
  return state === 'INSTANCE_ACTION_FAILED' ? `${who} could not move${reason}` : `${who} moves in another way${reason}`;
};

const whereIn = (move: MoveToTell | '' | undefined): string => {
  if (!move) return '';
  return `${move.target === '' ? '' : ` to ${move.target}`} in ${duration(Math.max(1, move.seconds))}`;
};

const projectIn = (payload: EventContent, names: EventNames): string => {
  const id = text(payload['project_id']);
  const name = names.project?.(id);
  return name ?? `project ${withShortIds(id)}`;
};

/** Empty: the event names none. */
const instancesIn = (payload: EventContent, names: EventNames): string => {
  const { length: count } = instancesOf(payload);
  if (count > namesShown) return `${count} instances`;
  return instancesToName(payload)
    .map((id) => nameOr(id, names.instance?.(id)))
    .join(', ');
};

const countOf = (entries: unknown): string =>
  Array.isArray(entries) && entries.length !== 1 ? `${entries.length} instances` : '1 instance';
