import { namingProjects } from '../../../api/showing/name-projects';

const names = new Map([
  ['a0000001', 'web'],
  ['b0000001', 'cost $& more'],
]);

it.each([
  {
    text: 'host c-1: project a0000001 answered NACK_PREPARE_MAINTENANCE 3 times',
    named: 'host c-1: project web (a0000001) answered NACK_PREPARE_MAINTENANCE 3 times',
  },
  { text: 'instance vm (1) of project b0000001', named: 'instance vm (1) of project cost $& more (b0000001)' },
  { text: 'project c0000001 is not known', named: 'project c0000001 is not known' },
  { text: 'instance a0000001', named: 'instance a0000001' },
])('"$text" is shown as "$named"', ({ text, named }) => {
  expect(namingProjects(text, names)).toBe(named);
});
