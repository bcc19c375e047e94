import { termsAnnotation, termsFrom, termsOfNamespace } from '../../../../clouds/kubernetes/limits/terms-annotation';
import type { ProjectTerms } from '../../../../rules/cloud/terms';

const now = new Date('2026-11-30T12:00:00Z');
const nights = [{ days: ['sat', 'sun'], from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' }] as const;
const annotated = (terms: unknown) => ({
  [termsAnnotation]: typeof terms === 'string' ? terms : JSON.stringify(terms),
});
const ofNamespace = (terms: unknown) => termsFrom({ ofWorkload: [], ofNamespace: annotated(terms) }, now);
const ofWorkload = (terms: unknown) => termsFrom({ ofWorkload: [annotated(terms)], ofNamespace: undefined }, now);

it('objects without the annotation tell nothing', () => {
  expect(termsFrom({ ofWorkload: [undefined, {}], ofNamespace: {} }, now)).toEqual({ faults: [] });
});

it.each<{ what: string; terms: ProjectTerms }>([
  { what: 'hours and a notice', terms: { hours: nights, notice_seconds: 3_600 } },
  {
    what: 'answers',
    terms: { ask: 'never', answers: { PLANNED_MAINTENANCE: { action: 'EVICTION' }, SCALE_IN: 'NACK' } },
  },
  { what: 'nothing in it', terms: {} },
])('$what is read from a workload and from a namespace', ({ terms }) => {
  expect(ofWorkload(terms)).toEqual({ terms: { ofInstance: terms }, faults: [] });
  expect(ofNamespace(terms)).toEqual({ terms: { ofProject: terms }, faults: [] });
});

it('of a workload and its pods the nearer counts, field by field', () => {
  const places = [annotated({ ask: 'never' }), annotated({ ask: 'always', notice_seconds: 60 })];
  expect(termsFrom({ ofWorkload: places, ofNamespace: undefined }, now).terms?.ofInstance).toMatchObject({
    ask: 'never',
    notice_seconds: 60,
  });
});

it('a namespace may name whom to ask, a workload may not', () => {
  const terms = { contact: 'web@example.org' };
  expect(termsOfNamespace(annotated(terms), now)).toEqual(terms);
  expect(ofWorkload(terms).faults).toEqual([
    `annotation ${termsAnnotation} cannot be read, in its field /contact, since it is not a known field; known are ask, answers, hours, notice_seconds`,
  ]);
});

it.each(['\\u0000', '\\ud83d'])('a contact with %s cannot be read, because the database cannot hold it', (sign) => {
  const terms = annotated(`{"contact":"web${sign}"}`);
  expect(termsOfNamespace(terms, now)).toEqual({ ask: 'always' });
});

it('a number is read as the database keeps it', () => {
  expect(termsOfNamespace(annotated('{"notice_seconds":-0}'), now)).toStrictEqual({ notice_seconds: 0 });
});

const manyHours = Array.from({ length: 10_000 }, () => nights[0]);
const hours = Array.from({ length: 21 }, () => nights[0]);
it.each([
  { what: 'no JSON', text: '{hours: weekends}', why: "is '{hours: weekends}', not JSON" },
  { what: 'a list', text: '[]', why: 'cannot be read since it must be an object, but is []' },
  { what: 'null', text: 'null', why: 'cannot be read since it must be an object, but is null' },
  {
    what: 'ten thousand hours',
    text: JSON.stringify({ hours: manyHours }),
    why: 'has 790011 characters, and may have 8192',
  },
  { what: 'a megabyte of text', text: 'x'.repeat(1_000_000), why: 'has 1000000 characters, and may have 8192' },
  {
    what: 'a NUL character, which the database cannot hold',
    text: '{"answers":{"\\u0000":1}}',
    why: 'cannot be read, in its field /answers/\uFFFD, since it has a key with a NUL character or half a surrogate pair',
  },
  {
    what: 'half a surrogate pair',
    text: '{"ask":"\\ud800"}',
    why: 'cannot be read, in its field /ask, since it has a NUL character or half a surrogate pair',
  },
  {
    what: 'a text that is cut within a character',
    text: `${'x'.repeat(39)}😀`,
    why: `is '${'x'.repeat(39)}\uFFFD', not JSON`,
  },
  {
    what: 'more hours than terms may have',
    text: JSON.stringify({ hours }),
    why: 'cannot be read, in its field /hours, since it must have at most 20 entries, but has 21',
  },
  {
    what: 'an unknown time zone',
    text: JSON.stringify({ hours: [{ ...nights[0], time_zone: 'Mars/Base' }] }),
    why:
      'cannot be read, in its field /hours/0/time_zone, since it must be the IANA name of a time zone, such as ' +
      'Europe/Berlin or UTC, but is "Mars/Base"',
  },
  {
    what: 'hours without days',
    text: JSON.stringify({ hours: [{ from: '22:00', to: '06:00', time_zone: 'UTC' }] }),
    why: 'cannot be read, in its field /hours/0, since it must have either days or dates',
  },
  {
    what: 'an action that the cloud does not offer',
    text: JSON.stringify({ answers: { PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' } } }),
    why: 'cannot be read, in its field /answers/PLANNED_MAINTENANCE/action, since it must be one of EVICTION, OWN_ACTION: the kubernetes cloud does not offer LIVE_MIGRATE',
  },
  {
    what: 'two wrong fields',
    text: JSON.stringify({ ask: 'maybe', notice_seconds: -1 }),
    why: 'cannot be read, in its field /ask, since it must be one of always, outside_hours, never, but is "maybe"; more of it is wrong',
  },
])('$what is told, and stands for the wish to be asked', ({ text, why }) => {
  const fault = `annotation ${termsAnnotation} ${why}`;
  expect(ofWorkload(text)).toEqual({ terms: { ofInstance: { ask: 'always' } }, faults: [fault] });
  expect(ofNamespace(text)).toMatchObject({ terms: { ofProject: { ask: 'always' } } });
});

it('a workload whose terms cannot be read keeps the hours of its namespace', () => {
  const told = termsFrom({ ofWorkload: [annotated('?')], ofNamespace: annotated({ hours: nights }) }, now);
  expect(told.terms).toEqual({ ofInstance: { ask: 'always' }, ofProject: { hours: nights } });
  expect(told.faults).toHaveLength(1);
});
