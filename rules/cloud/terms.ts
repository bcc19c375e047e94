/**
 * What a project says once, before anybody asks it: its terms. They stand in several places, of which the nearest
 * counts, field by field: in the constraints of an instance, in those of its group, in what the project tells its cloud
 * of the instance and of itself, and in the terms that are stored for the project. rules/terms/ decides what follows.
 */
import type { MaintenanceWindow } from '../maintenance-windows/maintenance-window';
import type { MoveAction } from './move-action';

/**
 * - always: the project is asked, and its reply is waited for; the answer of the terms follows silence.
 * - outside_hours: the same where the session may impact instances outside of their hours; else as never.
 * - never: the answer of the terms counts at once.
 */
export const askChoices = ['always', 'outside_hours', 'never'] as const;
export type AskChoice = (typeof askChoices)[number];

/** The states about which instances are asked: an answer may choose their action. */
export type StateOfMoves = 'PREPARE_MAINTENANCE' | 'PLANNED_MAINTENANCE';

/** ACK without an action leaves the action to the default behaviour. */
export type MoveAnswer = 'ACK' | { readonly action: MoveAction };

/** Answers by state. A refusal of a maintenance needs somebody to talk to, so only SCALE_IN can be refused. */
export interface TermsAnswers {
  readonly MAINTENANCE?: 'ACK' | undefined;
  readonly SCALE_IN?: 'ACK' | 'NACK' | undefined;
  /** Left out: as PLANNED_MAINTENANCE. */
  readonly PREPARE_MAINTENANCE?: MoveAnswer | undefined;
  readonly PLANNED_MAINTENANCE?: MoveAnswer | undefined;
  readonly MAINTENANCE_COMPLETE?: 'ACK' | undefined;
}

/** A time of the week or of the calendar, as a maintenance window, in the words of the interface. */
export interface HoursInTerms extends Omit<MaintenanceWindow, 'timeZone'> {
  readonly time_zone: string;
}

/** As they are stored, in the words of the interface. */
export interface Terms {
  /** Left out: always. */
  readonly ask?: AskChoice | undefined;
  readonly answers?: TermsAnswers | undefined;
  /** Instances are impacted in these alone; left out: at any time. */
  readonly hours?: readonly HoursInTerms[] | undefined;
  /** They are impacted this many seconds after their project was told at the earliest; left out: at once. */
  readonly notice_seconds?: number | undefined;
}

/** Terms of a whole project. */
export interface ProjectTerms extends Terms {
  /** Whom an admin asks about the project; nothing follows from it. */
  readonly contact?: string | undefined;
}

/** Terms that a project tells its cloud, by where it tells them. */
export interface ToldTerms {
  /** Left out: none. */
  readonly ofInstance?: Terms | undefined;
  /** Those of the whole project, which count where the instance has no nearer ones. Left out: none. */
  readonly ofProject?: ProjectTerms | undefined;
}

/** @param places the nearest first; of the answers, each state counts by itself */
export const nearestTerms = (places: readonly Terms[]): Terms =>
  places.reduceRight<Terms>(
    (farther, nearer) => ({
      ...farther,
      ...given(nearer),
      answers: { ...farther.answers, ...nearer.answers },
    }),
    { answers: {} },
  );

const given = (terms: Terms): Terms =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));

/** The hours of terms as maintenance windows; undefined: there are none, and impact is welcome at any time. */
export const hoursOf = ({ hours }: Terms): readonly MaintenanceWindow[] | undefined =>
  hours?.map(({ time_zone: timeZone, ...window }) => ({ ...window, timeZone }));
