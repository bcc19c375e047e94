import { PassThrough } from 'node:stream';
import { askOn } from '../../../../cli/client/ask-on';

const terminal = (): PassThrough => Object.assign(new PassThrough(), { isTTY: true });

const asked = (keys: string): Promise<string> => {
  const stop = new AbortController();
  const input = terminal();
  const answer = askOn('Go on? ', {
    input,
    output: terminal(),
    stop: stop.signal,
    interrupt: () => stop.abort(new Error('interrupted')),
  });
  input.write(keys);
  return answer;
};

describe('a question at a terminal', () => {
  it.each([
    { keys: 'yes\r', answer: 'yes' },
    { keys: '\u0004', answer: '' },
  ])('takes $answer', async ({ keys, answer }) => expect(await asked(keys)).toBe(answer));

  it('is ended by Ctrl-C as the command is', async () => {
    await expect(asked('ye\u0003')).rejects.toThrow('interrupted');
  });
});
