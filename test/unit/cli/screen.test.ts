import { createScreen } from '../../../cli/demo/screen';

const anOutput = (isTTY: boolean) => {
  const written: string[] = [];
  const write = (text: string): boolean => written.push(text) > 0;
  return { output: { isTTY, columns: 11, rows: 4, write }, written };
};

describe('the screen of the demo', () => {
  it('redraws the picture in place, and puts lines above it', () => {
    const { output, written } = anOutput(true);
    const screen = createScreen(output);
    screen.picture(['one', 'two']);
    screen.line('news');
    expect(written).toEqual(['one\ntwo\n', '\x1b[2A\x1b[Jnews\none\ntwo\n']);
  });

  it('cuts what does not fit, which could not be erased again', () => {
    const { output, written } = anOutput(true);
    createScreen(output).picture(['0123456789abc', '', '', '', 'too low']);
    expect(written).toEqual(['0123456789\n\n\n']);
  });

  it('shows lines only where there is no terminal', () => {
    const { output, written } = anOutput(false);
    const screen = createScreen(output);
    screen.picture(['one']);
    screen.line('news');
    expect(written).toEqual(['news\n']);
  });
});
