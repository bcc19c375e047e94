/** What a session has done so far, as words. */
import { count } from './times';

export interface WorkToTell {
  readonly hosts_by_phase: Readonly<Record<string, number>>;
  readonly moved_count: number;
  readonly refused_move_count: number;
  readonly question_count: number;
  readonly answer_count: number;
}

/** `maintained 6 hosts, moved 7 instances, asked 12 questions, of which 11 were answered` */
export const workInWords = (done: WorkToTell): string => {
  const { hosts_by_phase: hosts, moved_count: moved, refused_move_count: refused } = done;
  const { question_count: questions, answer_count: answers } = done;
  const asked =
    questions === 0 ? 'asked nobody' : `asked ${count(questions, 'question')}, of which ${answered(answers)}`;
  const refusals = refused === 0 ? '' : ` (${count(refused, 'move')} refused by the cloud before)`;
  return `maintained ${count(hosts['maintained'] ?? 0, 'host')}, moved ${count(moved, 'instance')}${refusals}, ${asked}`;
};

const answered = (answers: number): string => `${answers} ${answers === 1 ? 'was' : 'were'} answered`;
