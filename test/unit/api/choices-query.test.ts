import { parseChoicesQuery } from '../../../api/parsing/choices-query';

it.each([
  { query: {}, isCounted: false },
  { query: { instances: 'false' }, isCounted: false },
  { query: { instances: 'true' }, isCounted: true },
])('instances are counted ($isCounted) for $query', ({ query, isCounted }) => {
  expect(parseChoicesQuery(query)).toEqual({ isCounted });
});

it.each([
  { query: { instances: '1' }, pointer: '#query/instances' },
  { query: { instances: ['true', 'true'] }, pointer: '#query/instances' },
  { query: { instance: 'true' }, pointer: '#query/instance' },
])('$query is refused, because it would be passed over otherwise', ({ query, pointer }) => {
  expect(() => parseChoicesQuery(query)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ status: 400, errors: [expect.objectContaining({ pointer })] }) as object,
    }) as Error,
  );
});
