import { annotationNames as names, constraintsFrom } from '../../../../clouds/kubernetes/limits/annotations';

it.each([
  { says: 'nothing', told: {}, means: {} },
  { says: 'a lead time', told: { [names.leadTime]: '60' }, means: { leadTimeSeconds: 60, wantsQuestions: true } },
  { says: 'that no time is needed', told: { [names.leadTime]: '0' }, means: { leadTimeSeconds: 0 } },
  { says: 'that it wants to be asked', told: { [names.ask]: 'true' }, means: { wantsQuestions: true } },
  { says: 'that it does not', told: { [names.ask]: 'false', [names.leadTime]: '9' }, means: { leadTimeSeconds: 0 } },
  {
    says: 'how many may be out, and for how long',
    told: { [names.maxImpactedMembers]: '2', [names.recoveryTime]: ' 30 ' },
    means: { maxImpactedMembers: 2, recoveryTimeSeconds: 30 },
  },
  { says: 'that its pods come to their end', told: { [names.onDrain]: 'complete' }, means: { completes: true } },
  { says: 'that a replica may be added', told: { [names.surge]: 'true' }, means: { surges: true } },
])('a project whose object says $says is taken at its word', ({ told, means }) => {
  expect(constraintsFrom([told])).toEqual({ ...means, faults: [] });
});

it('the first object that says something counts, each annotation by itself', () => {
  const told = [undefined, { [names.leadTime]: '5' }, { [names.leadTime]: '7', [names.maxImpactedMembers]: '3' }];
  expect(constraintsFrom(told)).toMatchObject({ leadTimeSeconds: 5, maxImpactedMembers: 3 });
});

it.each([
  { name: names.leadTime, value: '1m', means: { wantsQuestions: true }, wanted: 'a whole number of seconds' },
  { name: names.recoveryTime, value: '-1', means: { recoveryTimeSeconds: 0 }, wanted: 'a whole number of seconds' },
  {
    name: names.maxImpactedMembers,
    value: '0',
    means: { maxImpactedMembers: 1 },
    wanted: 'a whole number of at least 1',
  },
  { name: names.onDrain, value: 'yes', means: { completes: true }, wanted: "'complete'" },
  { name: names.surge, value: 'yes', means: {}, wanted: "'true' or 'false'" },
  { name: names.ask, value: 'yes', means: { wantsQuestions: true }, wanted: "'true' or 'false'" },
])('$name: $value is as careful as can be, and is told', ({ name, value, means, wanted }) => {
  expect(constraintsFrom([{ [name]: value }])).toEqual({
    ...means,
    faults: [`annotation ${name} is '${value}', not ${wanted}`],
  });
});
