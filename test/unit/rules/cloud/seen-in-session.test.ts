import type { CloudInstance, HeldUnless } from '../../../../rules/cloud/cloud-facts';
import { heldIn, seenIn } from '../../../../rules/cloud/seen-in-session';

const bare: HeldUnless = { option: 'unmanagedPods', byDefault: 'keep', holds: { cannotMove: 'it is bare' } };
const local: HeldUnless = { option: 'localData', byDefault: 'keep', holds: { cannotMove: 'it has data' } };
const broken = { because: 'its budget is broken', owner: 'project', help: 'repair it' } as const;
const budget: HeldUnless = { option: 'forced', byDefault: 'delete', holds: { cannotMoveNow: broken } };

it.each([
  { eviction: null, reasons: [bare, local], held: { cannotMove: 'it is bare' } },
  { eviction: {}, reasons: [bare, local], held: { cannotMove: 'it is bare' } },
  { eviction: { unmanagedPods: 'delete' }, reasons: [bare, local], held: { cannotMove: 'it has data' } },
  { eviction: { unmanagedPods: 'delete', localData: 'delete' }, reasons: [bare, local], held: {} },
  { eviction: { localData: 'delete' }, reasons: [bare, local], held: { cannotMove: 'it is bare' } },
  { eviction: null, reasons: [budget], held: {} },
  { eviction: { forced: 'keep' }, reasons: [budget], held: { cannotMoveNow: broken } },
] as const)('$eviction leaves $held', ({ eviction, reasons, held }) => {
  expect(heldIn(eviction, reasons)).toEqual(held);
});

const listed: CloudInstance = {
  ...{ instanceId: 'i', instanceName: 'i', projectId: 'p', host: 'a', flavor: 'f', amounts: {}, state: 'Running' },
  cannotMove: 'it is bare',
};

it.each([
  { eviction: null, waitSeconds: 60 },
  { eviction: { localData: 'delete' }, waitSeconds: 60 },
  { eviction: { completeWithinSeconds: 0 }, waitSeconds: 0 },
  { eviction: { completeWithinSeconds: 600 }, waitSeconds: 600 },
] as const)('an instance that ends by itself has $waitSeconds s where the session says $eviction', (given) => {
  const ends = { ...listed, endsByItself: { because: 'it is a Job', waitSeconds: 60 } };
  expect(seenIn(given.eviction, ends).endsByItself?.waitSeconds).toBe(given.waitSeconds);
});

it.each([
  { eviction: { unmanagedPods: 'delete' }, becomes: 'keep' },
  { eviction: { localData: 'delete' }, becomes: 'delete' },
] as const)('an instance without another host is to $becomes where the session says $eviction', (given) => {
  expect(seenIn(given.eviction, { ...listed, withoutOtherHost: 'keep' }).withoutOtherHost).toBe(given.becomes);
  expect(seenIn(given.eviction, listed)).not.toHaveProperty('withoutOtherHost');
});

describe('an instance', () => {
  it('of a cloud that knows no such options stays as it is', () => {
    expect(seenIn({ unmanagedPods: 'delete' }, listed)).toBe(listed);
  });

  it('is movable in a session that gives it up, and in no other', () => {
    const kept = { ...listed, heldUnless: [bare] };
    expect(seenIn({ unmanagedPods: 'delete' }, kept)).not.toHaveProperty('cannotMove');
    expect(seenIn({ localData: 'delete' }, kept).cannotMove).toBe('it is bare');
    expect(seenIn(null, kept).cannotMove).toBe('it is bare');
  });
});
