import { workInWords } from '../../../../rules/words/work-done';

const noneRefused = { refused_move_count: 0 };

it.each([
  {
    done: { ...noneRefused, hosts_by_phase: { maintained: 6 }, moved_count: 7, question_count: 12, answer_count: 11 },
    words: 'maintained 6 hosts, moved 7 instances, asked 12 questions, of which 11 were answered',
  },
  {
    done: { ...noneRefused, hosts_by_phase: { maintained: 1 }, moved_count: 1, question_count: 1, answer_count: 1 },
    words: 'maintained 1 host, moved 1 instance, asked 1 question, of which 1 was answered',
  },
  {
    done: { ...noneRefused, hosts_by_phase: {}, moved_count: 0, question_count: 0, answer_count: 0 },
    words: 'maintained 0 hosts, moved 0 instances, asked nobody',
  },
  {
    done: { hosts_by_phase: {}, moved_count: 4, refused_move_count: 1, question_count: 0, answer_count: 0 },
    words: 'maintained 0 hosts, moved 4 instances (1 move refused by the cloud before), asked nobody',
  },
])('says "$words"', ({ done, words }) => {
  expect(workInWords(done)).toBe(words);
});
