import { Command } from 'commander';
import { addFleetCommands } from '../../../cli/fleet';

describe('parley fleet', () => {
  const parse = (...words: readonly string[]): Promise<Command> => {
    const program = new Command('parley').exitOverride().configureOutput({ writeErr: () => undefined });
    addFleetCommands(program, () => Promise.reject(new Error('no database is opened')));
    return program.parseAsync(['node', 'parley', 'fleet', ...words]);
  };

  it('opens no database for words that it cannot take', async () => {
    await expect(parse('fail', 'vm-1', '-5')).rejects.toThrow(/unknown option|whole number/);
    await expect(parse('empty')).rejects.toThrow("unknown command 'empty'");
  });
});
