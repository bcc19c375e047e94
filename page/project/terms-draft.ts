/** The form of a project's terms, and the terms that it makes. Fields that the form does not know stay as they are. */
import type { Terms } from '../client/types';
import { asTyped } from '../plan/draft';

type Hours = NonNullable<Terms['hours']>[number];
type Answers = NonNullable<Terms['answers']>;
type Moves = NonNullable<Answers['PLANNED_MAINTENANCE']>;

/** Texts of choices; empty: the terms do not say. */
export interface TermsDraft {
  readonly ask: NonNullable<Terms['ask']> | '';
  readonly contact: string;
  readonly hours: readonly Hours[];
  /** Seconds. */
  readonly notice: string;
  readonly maintenance: 'ACK' | '';
  readonly scaleIn: 'ACK' | 'NACK' | '';
  /** ACK, or an action. */
  readonly moves: string;
  readonly complete: 'ACK' | '';
  /** The other fields of the terms, as JSON; empty: there are none. */
  readonly others: string;
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const withoutEmpty = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

const orUndefined = <T extends string>(text: T | ''): T | undefined => (text === '' ? undefined : text);

export const termsDraftOf = (terms: Terms): TermsDraft => {
  const { ask = '', contact = '', hours = [], notice_seconds: notice = '', answers = {}, ...others } = terms;
  return {
    ...answersDraftOf(answers),
    ask,
    contact,
    hours,
    notice: String(notice),
    others: Object.keys(others).length === 0 ? '' : JSON.stringify(others, undefined, 2),
  };
};

const answersDraftOf = (answers: Answers): Pick<TermsDraft, 'maintenance' | 'scaleIn' | 'moves' | 'complete'> => {
  const { PLANNED_MAINTENANCE: moves = '' } = answers;
  return {
    maintenance: answers.MAINTENANCE ?? '',
    scaleIn: answers.SCALE_IN ?? '',
    moves: typeof moves === 'string' ? moves : moves.action,
    complete: answers.MAINTENANCE_COMPLETE ?? '',
  };
};

/**
 * @param stored the terms before: an answer that the form has no field for stays
 * @throws SyntaxError where the other fields are not JSON
 */
export const termsOf = (draft: TermsDraft, stored: Terms): Terms => {
  const answers = withoutEmpty({
    ...stored.answers,
    MAINTENANCE: orUndefined(draft.maintenance),
    SCALE_IN: orUndefined(draft.scaleIn),
    PLANNED_MAINTENANCE: movesOf(draft.moves),
    MAINTENANCE_COMPLETE: orUndefined(draft.complete),
  });
  return withoutEmpty({
    ...othersIn(draft.others),
    ask: orUndefined(draft.ask),
    contact: orUndefined(draft.contact.trim()),
    hours: draft.hours.length === 0 ? undefined : draft.hours.map(asTyped),
    notice_seconds: draft.notice.trim() === '' ? undefined : Number(draft.notice),
    answers: Object.keys(answers).length === 0 ? undefined : answers,
  });
};

/** The API says which actions the cloud has. */
const movesOf = (text: string): Moves | undefined =>
  text === '' || text === 'ACK' ? orUndefined(text) : ({ action: text } as Moves);

const othersIn = (text: string): object => {
  if (text.trim() === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch (error) {
    throw new SyntaxError(`the other fields are not JSON: ${String(error)}`, { cause: error });
  }
  throw new SyntaxError('the other fields must be an object of JSON');
};
