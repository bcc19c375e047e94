import { nameOr, namingProjects, withShortIds } from '../../../../rules/words/names';

const [web, other] = ['39494a5d9f424b3bb7d91d1bd2a1a1b0', 'b0000001-0000-4000-8000-000000000001'];
const names = new Map([
  [web, 'web'],
  ['p1', 'cost $& more'],
]);
const digest = '0123456789abcdef'.repeat(4);

it.each([
  { text: `host c-1: project ${web} answered NACK 3 times`, shown: 'host c-1: project web answered NACK 3 times' },
  { text: 'instance vm of project p1', shown: 'instance vm of project cost $& more' },
  { text: 'instance p1', shown: 'instance p1' },
  { text: `project ${other}`, shown: 'project b0000001' },
  { text: `instance vm (${other.toUpperCase()})`, shown: 'instance vm (B0000001)' },
  { text: `2 at a time of ${web}/2x4096`, shown: '2 at a time of web/2x4096' },
  { text: `No valid host (Request-ID: req-${other})`, shown: `No valid host (Request-ID: req-${other})` },
  { text: `PUT /v1/maintenance/${other}`, shown: `PUT /v1/maintenance/${other}` },
  { text: `sha256 ${digest}`, shown: `sha256 ${digest}` },
])('"$text" is shown as "$shown"', ({ text, shown }) => {
  expect(withShortIds(namingProjects(text, names))).toBe(shown);
});

it.each([
  { id: web, name: 'web', shown: 'web' },
  { id: web, name: null, shown: '39494a5d' },
  { id: 'compute-1', name: undefined, shown: 'compute-1' },
])('$id with the name $name is $shown', ({ id, name, shown }) => {
  expect(nameOr(id, name)).toBe(shown);
});

it('keeps whole the IDs that have no name, in the answers of the API', () => {
  expect(namingProjects(`project ${web} and project ${other}`, names)).toBe(`project web and project ${other}`);
});
