import { parseListQuery } from '../../../api/parsing/list-query';

it('lets a list without filters through', () => {
  expect(parseListQuery({})).toEqual({ isArchived: false });
});

it('reads filters', () => {
  expect(parseListQuery({ state: 'failed,aborted', host: 'rack7-*', name: 'CHG', archived: 'true' })).toEqual({
    ...{ states: ['failed', 'aborted'], host: 'rack7-*', name: 'CHG', isArchived: true },
  });
});

it.each(['colour', 'toString'])('refuses the filter %s, which the list does not have, by its name', (name) => {
  expect(() => parseListQuery({ [name]: 'red' })).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        status: 422,
        errors: [expect.objectContaining({ pointer: `#query/${name}` })],
      }) as object,
    }) as Error,
  );
});
