import type { CloudInstance, KeptUnless } from '../../../../rules/cloud/cloud-facts';
import { leavingOf, whyByProject } from '../../../../rules/cloud/departure';
import { seenIn, wayIn } from '../../../../rules/cloud/seen-in-session';
import { aDeparture } from '../../../builders/a-departure';

const isBare = { kind: 'byProject', because: 'it is bare' } as const;
const hasData = { kind: 'byProject', because: 'it has data' } as const;
const isBroken = { kind: 'mayBeRefused', because: 'its budget is broken', help: 'repair it' } as const;
const moves = { kind: 'moves' } as const;
const bare: KeptUnless = { option: 'unmanagedPods', byDefault: 'keep', way: isBare };
const local: KeptUnless = { option: 'localData', byDefault: 'keep', way: hasData };
const budget: KeptUnless = { option: 'forced', byDefault: 'delete', way: isBroken };

it.each([
  { eviction: null, reasons: [bare, local], way: isBare },
  { eviction: {}, reasons: [bare, local], way: isBare },
  { eviction: { unmanagedPods: 'delete' }, reasons: [bare, local], way: hasData },
  { eviction: { unmanagedPods: 'delete', localData: 'delete' }, reasons: [bare, local], way: moves },
  { eviction: { localData: 'delete' }, reasons: [bare, local], way: isBare },
  { eviction: null, reasons: [budget], way: moves },
  { eviction: { forced: 'keep' }, reasons: [budget], way: isBroken },
] as const)('$eviction leaves $way', ({ eviction, reasons, way }) => {
  expect(wayIn(eviction, reasons)).toEqual(way);
});

const listed: CloudInstance = {
  ...{ instanceId: 'i', instanceName: 'i', projectId: 'p', host: 'a', flavor: 'f', amounts: {}, state: 'Running' },
  departure: aDeparture({ byProject: 'it is bare' }),
};

it.each([
  { eviction: null, waitSeconds: 60 },
  { eviction: { localData: 'delete' }, waitSeconds: 60 },
  { eviction: { completeWithinSeconds: 0 }, waitSeconds: 0 },
  { eviction: { completeWithinSeconds: 600 }, waitSeconds: 600 },
] as const)('an instance that ends by itself has $waitSeconds s where the session says $eviction', (given) => {
  const departure = aDeparture({ endsByItself: { because: 'it is a Job', waitSeconds: 60 } });
  expect(leavingOf(seenIn(given.eviction, { ...listed, departure })).endsByItself?.waitSeconds).toBe(given.waitSeconds);
});

it.each([
  { eviction: { unmanagedPods: 'delete' }, becomes: 'keep' },
  { eviction: { localData: 'delete' }, becomes: 'delete' },
] as const)('an instance without another host is to $becomes where the session says $eviction', (given) => {
  const departure = aDeparture({ place: { kind: 'elsewhere', ifNone: 'keep' } });
  expect(leavingOf(seenIn(given.eviction, { ...listed, departure })).place).toMatchObject({ ifNone: given.becomes });
  expect(leavingOf(seenIn(given.eviction, listed)).place).toEqual({ kind: 'elsewhere' });
});

describe('an instance', () => {
  it.each([
    { situation: 'leaves as it is listed', departure: listed.departure },
    {
      situation: 'stays held',
      departure: aDeparture({ held: { because: 'it is off', owner: 'project', help: 'start it' } }),
    },
  ])('of a cloud that knows no such options $situation', ({ departure }) => {
    expect(seenIn({ unmanagedPods: 'delete' }, { ...listed, departure })).toEqual({ ...listed, departure });
  });

  it('is movable in a session that gives it up, and in no other', () => {
    const kept = { ...listed, keptUnless: [bare] };
    expect(seenIn({ unmanagedPods: 'delete' }, kept).departure.kind).toBe('moves');
    expect(whyByProject(seenIn({ localData: 'delete' }, kept))).toBe('it is bare');
    expect(whyByProject(seenIn(null, kept))).toBe('it is bare');
  });
});
