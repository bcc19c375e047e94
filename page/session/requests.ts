/** The effect of each request of a session, in words that are shown before it is used. */
import { hasStopped } from '../../rules/words/progress';
import { count, shortId } from '../../rules/words/times';
import type { NextStep, Summary } from '../client/types';

export type AdminRequest = NextStep['request'] | 'first' | 'ignore';

export interface Asking {
  readonly title: string;
  readonly verb: string;
  readonly says: readonly string[];
  readonly isDangerous: boolean;
  /** A word that has to be typed first. */
  readonly word?: string;
}

type Facts = Pick<
  Summary,
  'session_id' | 'state' | 'prev_state' | 'under_work' | 'moving_count' | 'open_questions' | 'progress'
>;

const inFlight = ({ under_work: hosts, moving_count: moving, open_questions: questions }: Facts): string =>
  `At this moment ${count(hosts.length, 'host')} under work, ${count(moving, 'instance')} moving, ` +
  `${count(questions, 'question')} open.`;

/** These cannot be taken back: they stand apart, and the beginning of the session's ID is typed for them. */
export const isAskedTwice = (request: AdminRequest): boolean => request === 'abort' || request === 'delete';

/** @param host that it is about, for requests about one */
export const askingFor = (request: AdminRequest, facts: Facts, host = 'the host'): Asking => {
  const asking = askings[request](facts, host);
  const isDangerous = isAskedTwice(request);
  return { ...asking, isDangerous, ...(isDangerous && { word: shortId(facts.session_id) }) };
};

const askings: Readonly<Record<AdminRequest, (facts: Facts, host: string) => Pick<Asking, 'title' | 'verb' | 'says'>>> =
  {
    pause: (facts) => ({
      title: 'Pause the session',
      verb: 'Pause',
      says: ['Nothing new begins until you resume it. Everything in flight ends as usual.', inFlight(facts)],
    }),
    resume: () => ({
      title: 'Resume the session',
      verb: 'Resume',
      says: ['The session goes on at once: it asks projects, moves instances and maintains hosts again.'],
    }),
    abort: (facts) => ({
      title: 'Abort the session',
      verb: 'Abort',
      says: [
        'Everything in flight ends, nothing new begins, and then the session is aborted. You can continue it then, or ' +
          'delete it.',
        inFlight(facts),
      ],
    }),
    archive: () => ({
      title: 'Archive the session',
      verb: 'Archive',
      says: ['It leaves the list and stays on record. Hosts that it still has disabled are enabled first.'],
    }),
    delete: (facts) => ({
      title: 'Delete the session',
      verb: 'Delete',
      says:
        facts.progress === 'done' || hasStopped(facts.progress)
          ? ['The session and its records are removed. Hosts that it still has disabled are enabled.']
          : [
              'The session is aborted, its hosts are enabled, and then it and its records are removed.',
              inFlight(facts),
            ],
    }),
    continue: ({ prev_state: state }) => ({
      title: 'Continue the session',
      verb: 'Continue',
      says: [
        `The session goes on from ${state}, or from the state that you choose. Finished work is not repeated: a host ` +
          'that is done stays done.',
      ],
    }),
    skip: (_, host) => ({
      title: 'Skip a host',
      verb: 'Skip',
      says: [
        `The session goes on without ${host}. Its open questions are withdrawn, moves that have begun end, and then it ` +
          'is enabled again. You can take it up again with retry.',
      ],
    }),
    retry: (_, host) => ({
      title: 'Retry a host',
      verb: 'Retry',
      says: [`The session takes ${host} up again, and its maintenance begins anew.`],
    }),
    first: (_, host) => ({
      title: 'Prefer a host',
      verb: 'Drain it first',
      says: [`The session drains ${host} before the others, as far as constraints and capacity allow.`],
    }),
    ignore: (_, host) => ({
      title: 'Ignore what a host waits for',
      verb: 'Ignore it',
      says: [
        `The session works on ${host} although somebody else says by the marks that are there now to be at work on it.`,
        'Make sure that nobody is: two that drain, reboot and enable one host undo each other’s work.',
        'A host after its maintenance counts as back without what it offered before.',
      ],
    }),
  };

/** The states that a failed session may be continued from, if it has entered them. */
export const statesToContinue: readonly string[] = [
  'MAINTENANCE',
  'SCALE_IN',
  'PREPARE_MAINTENANCE',
  'START_MAINTENANCE',
  'PLANNED_MAINTENANCE',
  'MAINTENANCE_COMPLETE',
];
