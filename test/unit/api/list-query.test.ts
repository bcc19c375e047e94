import { refuseUnknownFilters } from '../../../api/parsing/list-query';

it('lets a list without filters through', () => {
  expect(() => refuseUnknownFilters({})).not.toThrow();
});

it('refuses a filter that the list does not have, by its name', () => {
  expect(() => refuseUnknownFilters({ state: 'MAINTENANCE_FAILED' })).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        status: 400,
        errors: [expect.objectContaining({ pointer: '#query/state' })],
      }) as object,
    }) as Error,
  );
});
