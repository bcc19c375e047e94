import { createStatementNames } from '../../../prisma/statement-names';

const uses = (names: (text: string) => string, text: string, times: number): string[] =>
  Array.from({ length: times }, () => names(text));

describe('the name of a statement', () => {
  it('comes with the third use of its text', () => {
    const names = createStatementNames();
    const [first, second, third, fourth] = uses(names, 'SELECT 1', 4);
    expect([first, second]).toEqual(['', '']);
    expect(third).toMatch(/^parley_[0-9a-f]{32}$/);
    expect(fourth).toBe(third);
  });

  it('is the same for the same text in all processes, and another for another text', () => {
    const [here, there] = [createStatementNames({ fromUse: 1 }), createStatementNames({ fromUse: 1 })];
    expect(here('SELECT 1')).toBe(there('SELECT 1'));
    expect(here('SELECT 2')).not.toBe(here('SELECT 1'));
  });

  it('is as long as PostgreSQL allows for names at most', () => {
    expect(createStatementNames({ fromUse: 1 })('SELECT 1').length).toBeLessThanOrEqual(63);
  });

  it('is not given to more texts than the limit allows, while named ones keep theirs', () => {
    const names = createStatementNames({ fromUse: 1, mostNames: 2 });
    const first = names('SELECT 1');
    expect(names('SELECT 2')).not.toBe('');
    expect(names('SELECT 3')).toBe('');
    expect(names('SELECT 1')).toBe(first);
  });
});
