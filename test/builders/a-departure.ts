/** How an instance leaves its host; a test names only what it is about. */
import type {
  CannotMoveNow,
  Departure,
  EndsByItself,
  MayBeRefused,
  PlaceAfter,
  Unheld,
} from '../../rules/cloud/departure';

export interface DepartureFields {
  readonly held?: CannotMoveNow;
  /** Why the cloud never moves it. */
  readonly byProject?: string;
  readonly refused?: MayBeRefused;
  readonly place?: PlaceAfter;
  readonly endsByItself?: EndsByItself;
}

/** The instance moves to another host, and nothing holds it. */
export const aDeparture = ({ held, place = { kind: 'elsewhere' }, ...fields }: DepartureFields = {}): Departure => {
  const then: Unheld = { ...howOf(fields), place, ...(fields.endsByItself && { endsByItself: fields.endsByItself }) };
  return held ? { kind: 'held', why: held, then } : then;
};

const howOf = ({ byProject, refused }: DepartureFields) => {
  if (byProject !== undefined) return { kind: 'byProject', because: byProject } as const;
  return refused ? ({ kind: 'mayBeRefused', ...refused } as const) : ({ kind: 'moves' } as const);
};
