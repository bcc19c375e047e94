/** Shows that plan and event say the same of a deadline: one function decides for both. */
import { deadlineMissed } from '../../../api/services/deadline-blocker';
import type { SessionToPlan } from '../../../api/services/session-in-plan';
import { noSteering } from '../../../prisma/session/session-steering';
import { usualTimes } from '../../../rules/decisions/fleet/usual-times';
import { nothingSeen } from '../../../rules/expectations/expected-times';
import { deadlineMissIn } from '../../../rules/steering/deadline-miss';
import { aFleet, aHostIn, anInstance, aSessionId } from '../../builders/a-fleet';

const nowMs = Date.parse('2026-01-05T00:00:00Z');
const minute = 60_000;
const host = { ...aHostIn('waiting', 'old'), expectedMaintenanceSeconds: 600 };
const facts = {
  nowMs,
  freezes: [],
  fleet: aFleet({ hosts: [host] }),
  replySeconds: 20,
  seen: nothingSeen,
  usual: usualTimes,
};

const aSession = (deadlineMinutes: number, fields: Partial<SessionToPlan> = {}): SessionToPlan => ({
  ...noSteering,
  ...{ id: aSessionId, workflow: 'vnf', rolling: null, state: 'PLANNED_MAINTENANCE', actions: [], drainOrder: [] },
  ...{ stateEnteredAt: new Date(nowMs), maintenanceAt: new Date(nowMs), begunAt: null, canaryEndedAt: null },
  ...{ deadlineMissed: null, deadline: new Date(nowMs + deadlineMinutes * minute) },
  ...fields,
});

const ending = (expectedMinutes: number, latestMinutes = expectedMinutes) => {
  const [expected, latest] = [expectedMinutes, latestMinutes].map((minutes) => nowMs + minutes * minute);
  return { endsAtMs: { earliest: expected!, expected: expected!, latest: latest! } };
};

const nightly = [{ days: ['mon'], from: '00:00', to: '00:05', timeZone: 'UTC' }] as const;

describe('deadlineMissed', () => {
  it.each([
    { situation: 'all goes well', session: aSession(30), plan: ending(11), severities: [] },
    { situation: 'it is late only if all is slow', session: aSession(30), plan: ending(11, 40), severities: ['note'] },
    { situation: 'it is expected to be late', session: aSession(30), plan: ending(31), severities: ['delays'] },
    { situation: 'it would not end', session: aSession(30), plan: {}, severities: ['delays'] },
    { situation: 'the deadline has passed', session: aSession(-1), plan: ending(0), severities: ['delays'] },
    {
      situation: 'the least time left tells it, whatever was played',
      session: aSession(9),
      plan: ending(8),
      severities: ['delays'],
    },
    {
      situation: 'the windows until then are too short',
      session: aSession(30, { windows: nightly }),
      plan: ending(11),
      severities: ['delays'],
    },
    {
      situation: 'an event has told it already',
      session: aSession(30, { deadlineMissed: 'expected' }),
      plan: ending(11),
      severities: ['delays'],
    },
    {
      situation: 'there is no deadline',
      session: aSession(30, { deadline: null }),
      plan: ending(99),
      severities: [],
    },
  ])('tells $severities where $situation', ({ session, plan, severities }) => {
    expect(deadlineMissed(plan, session, facts).map(({ severity }) => severity)).toEqual(severities);
  });

  it.each([
    { putOffMinutes: 29, phase: 'waiting', told: undefined },
    { putOffMinutes: 31, phase: 'waiting', told: 'expected' },
    { putOffMinutes: 31, phase: 'maintained', told: undefined },
  ] as const)('an instance on a $phase host, put off by $putOffMinutes minutes of 30: $told', (given) => {
    const instance = anInstance({ host: 'old', ownerTimes: { notBeforeMs: nowMs + given.putOffMinutes * minute } });
    const fleet = aFleet({ hosts: [{ ...host, ...aHostIn(given.phase, 'old') }], instances: [instance] });
    const look = { ...facts, fleet };
    expect(deadlineMissIn(aSession(30), look)).toBe(given.told);
    const [first] = deadlineMissed(ending(1), aSession(30), look);
    expect(
      first?.because.includes(`project project-1 lets instance ${instance.name} be impacted only from`) ?? false,
    ).toBe(given.told !== undefined);
  });

  it('tells whatever an event tells', () => {
    for (let minutes = -2; minutes < 20; minutes += 1) {
      const session = aSession(minutes);
      const told = deadlineMissIn(session, facts);
      const planned = deadlineMissed(ending(1), session, facts);
      expect(planned.some(({ severity }) => severity === 'delays')).toBe(told !== undefined);
    }
  });
});
