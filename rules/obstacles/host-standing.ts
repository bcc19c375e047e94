/** What becomes of a host that waits for nothing, and what helps: in every phase, whatever its session does. */
import { count } from '../words/times';
import { courseOf, type CourseOfSession, type SessionToTell } from './course';
import { helpForLeftBehind } from './left-behind';

export interface HostToTell {
  readonly session: SessionToTell;
  /** Instances that are on the host, and those of them that move. */
  readonly instances: number;
  readonly moving: number;
}

export interface HostStanding {
  readonly words: string;
  /** Left out: nothing has to be done. */
  readonly help?: string;
}

type Facts = Omit<HostToTell, 'session'> & { readonly course: CourseOfSession };

const maintainElsewhere = 'maintain it in another session';

/** How its session ends; undefined: it does not. */
const endings: Readonly<Record<CourseOfSession, string | undefined>> = {
  going: undefined,
  continuing: undefined,
  failing: 'the session is failing',
  aborting: 'the session is being aborted',
  deleting: 'the session is being deleted',
  failed: 'the session has failed',
  aborted: 'the session was aborted',
  ended: 'the session has ended its work on hosts',
  done: 'the session is over',
};

/** What lets a session work on the host after its end. */
const helpAfter: Readonly<Record<CourseOfSession, string | undefined>> = {
  going: undefined,
  continuing: undefined,
  failing: 'repair the cause, and continue the session once it has failed (parley continue)',
  aborting: `continue the session once it is aborted (parley continue), or ${maintainElsewhere}`,
  deleting: maintainElsewhere,
  failed: 'repair the cause, then continue the session (parley continue)',
  aborted: `continue the session (parley continue), or ${maintainElsewhere}`,
  ended: maintainElsewhere,
  done: maintainElsewhere,
};

const standing = (words: string, help: string | undefined): HostStanding =>
  help === undefined ? { words } : { words, help };

/** Its work ends with that of its session. */
const isEnding = (course: CourseOfSession): boolean => ['failing', 'aborting', 'deleting'].includes(course);

const goesOnAgain = 'the session is about to continue after its failure';

const notBegun = ({ course }: Facts): HostStanding => {
  if (course === 'going') return { words: 'its turn comes' };
  if (course === 'continuing') return { words: `${goesOnAgain}: its turn comes then` };
  return standing(`no work begins on it: ${endings[course] ?? ''}`, helpAfter[course]);
};

const drained = ({ course, instances, moving }: Facts): HostStanding => {
  if (isEnding(course)) {
    return standing(`it goes back to use, once what moves has ended: ${endings[course] ?? ''}`, helpAfter[course]);
  }
  if (course !== 'going') return underWorkNoMore(course);
  if (moving > 0) return { words: `${count(moving, 'instance')} on it ${moving === 1 ? 'moves' : 'move'} away` };
  return { words: instances === 0 ? 'it is empty: its maintenance comes next' : 'its instances are looked at next' };
};

const inMaintenance = ({ course }: Facts): HostStanding => {
  if (course === 'going') return { words: 'its maintenance runs' };
  if (course === 'failing') return { words: 'its maintenance runs to its end, though the session is failing' };
  if (isEnding(course)) {
    return standing(
      `its maintenance is broken off, and it goes back to use: ${endings[course] ?? ''}`,
      helpAfter[course],
    );
  }
  return underWorkNoMore(course);
};

const givenBack = ({ course }: Facts): HostStanding =>
  course === 'going' || course === 'ended' || isEnding(course)
    ? { words: 'it goes back to use, once what moves has ended' }
    : underWorkNoMore(course);

const underWorkNoMore = (course: CourseOfSession): HostStanding =>
  course === 'continuing'
    ? { words: goesOnAgain }
    : standing(`the work on it has ended: ${endings[course] ?? ''}`, helpAfter[course]);

const leftBehind =
  (phase: string, words: string) =>
  ({ course }: Facts): HostStanding => {
    const ending = endings[course];
    return {
      words: `${words}${ending === undefined ? '' : `; ${ending}`}`,
      help: helpForLeftBehind({ phase, course }),
    };
  };

const failed = ({ course, ...facts }: Facts): HostStanding => {
  if (course === 'going') return { words: 'it has failed: it is set aside next, or the session fails' };
  if (course === 'continuing') return { words: `${goesOnAgain}, and works on it again` };
  return leftBehind('failed', 'it has failed')({ course, ...facts });
};

const phases = {
  waiting: notBegun,
  emptying: drained,
  maintaining: inMaintenance,
  releasing: givenBack,
  maintained: () => ({ words: 'it is maintained: nothing more is done with it' }),
  failed,
  set_aside: leftBehind('set_aside', 'it was set aside'),
  skipped: leftBehind('skipped', 'it was skipped'),
} as const satisfies Readonly<Record<string, (facts: Facts) => HostStanding>>;

export type PhaseToTell = keyof typeof phases;

export const hostStanding = (phase: PhaseToTell, { session, ...facts }: HostToTell): HostStanding =>
  phases[phase]({ course: courseOf(session), ...facts });
