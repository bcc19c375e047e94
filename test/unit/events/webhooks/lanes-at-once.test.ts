import { createLanesAtOnce } from '../../../../events/webhooks/lanes-at-once';

it('leaves room for other webhooks beside one whose receiver is slow, and takes its lanes again when some end', () => {
  const lanes = createLanesAtOnce();
  const ends = Array.from({ length: 10 }, () => lanes.begin('slow'));
  expect(ends).not.toContain(undefined);
  expect(lanes.begin('slow')).toBeUndefined();
  expect(lanes.begin('other')).toBeDefined();
  ends[0]?.();
  expect(lanes.begin('slow')).toBeDefined();
  expect(lanes.begin('slow')).toBeUndefined();
});

it('delivers at most a hundred lanes at once, whichever webhooks they belong to', () => {
  const lanes = createLanesAtOnce();
  const ends = Array.from({ length: 100 }, (_, at) => lanes.begin(`webhook ${at % 20}`));
  expect(ends).not.toContain(undefined);
  expect(lanes.begin('another')).toBeUndefined();
  for (const end of ends) end?.();
  expect(lanes.begin('another')).toBeDefined();
});
