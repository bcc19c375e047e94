import { seededBugs } from '../../seeded-bugs/bugs';
import { misfits } from '../../seeded-bugs/trees';

it('every seeded bug fits the source: its files are there, and the text that it changes is in them once', () => {
  expect(misfits(seededBugs)).toEqual([]);
});
