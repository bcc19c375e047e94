/** A wait for a place, in the light of the plan: the turn of whoever waits, or something that somebody has to do. */
import { asTurn, noTurns } from '../../../../rules/reasons/by-plan';
import { ownerOfWait } from '../../../../rules/reasons/in-words';
import type { Reason } from '../../../../rules/reasons/reason';
import { makePlan } from '../../../../rules/simulation/plan/make-plan';
import { turnsIn } from '../../../../rules/simulation/plan/turns-in';
import { aHost, aHostIn, type HostFields } from '../../../builders/a-fleet';
import { aConstrained, aPlanInput, aSessionInPlan } from '../../../builders/a-plan-input';

const full = { vcpus: 4 };
const session = aSessionInPlan({ state: 'PLANNED_MAINTENANCE', isBegun: true });

/** Each instance fills a host, so hosts go one after the other over a spare one. */
const planWith = (others: readonly HostFields[]) =>
  makePlan(
    aPlanInput(
      {
        hosts: [
          aHostIn('waiting', 'old-1', full),
          aHostIn('waiting', 'old-2', full),
          ...others.map((fields) => aHost({ ...full, ...fields })),
        ],
        instances: [aConstrained({ id: 'a', host: 'old-1' }), aConstrained({ id: 'b', host: 'old-2' })],
      },
      { sessions: [session] },
    ),
  );

const because = 'instance name of b (b) waits for capacity: 4 vcpus missing on host old-1, which comes closest';
const noRoom: Reason = {
  ...{ waitingFor: 'room', who: 'old-2', subject: '4 vcpus', owner: 'operator' },
  ...{ because, help: 'free that much there', sinceMs: 1 },
};

const ownerOf = ({ waitingFor: waiting_for, subject, who, owner }: Reason) =>
  ownerOfWait({ waiting_for, subject, who, subject_id: null, subject_name: null, ...(owner && { owner }) });

describe('a host that finds no place for its instances', () => {
  it('waits for the place that another host frees, at the time that the plan foretells', () => {
    const plan = planWith([{ name: 'spare' }]);
    const back = plan.hosts.find(({ hostname }) => hostname === 'old-1')!.maintenance!.toMs;
    const told = asTurn(turnsIn(plan))(noRoom);
    expect(told).toEqual({
      ...{ waitingFor: 'place', who: 'old-2', subject: 'old-1', because, sinceMs: 1 },
      untilMs: plan.hosts.find(({ hostname }) => hostname === 'old-2')!.drain!.fromMs,
    });
    expect(told.untilMs).toBeGreaterThanOrEqual(back);
    expect(ownerOf(told)).toBe('service');
  });

  it('waits for its turn where its target had the place all along', () => {
    const plan = planWith([{ name: 'spare' }, { name: 'spare-2' }]);
    expect(asTurn(turnsIn(plan))(noRoom)).toMatchObject({
      waitingFor: 'host',
      who: 'old-2',
      subject: 'old-2',
      because,
    });
  });

  it('is up to the operator where the plan stops', () => {
    const plan = planWith([]);
    expect(plan.endsAtMs).toBeUndefined();
    expect(asTurn(turnsIn(plan))(noRoom)).toBe(noRoom);
    expect(ownerOf(noRoom)).toBe('operator');
  });

  it('is up to the operator where the plan passes over what stops the session', () => {
    const plan = planWith([{ name: 'spare' }]);
    const [stopping] = [{ isNotPlayed: true }] as unknown as typeof plan.blockers;
    expect(turnsIn({ ...plan, blockers: [stopping!] })).toBe(noTurns);
  });
});

it('tells the turn of an instance on a host that is being drained', () => {
  const hosts = [aHostIn('maintaining', 'old-1', full), aHostIn('emptying', 'old-2', full)];
  const instances = [aConstrained({ id: 'b', host: 'old-2' })];
  const turns = turnsIn(makePlan(aPlanInput({ hosts, instances }, { sessions: [session] })));
  expect(asTurn(turns)({ ...noRoom, who: 'b' })).toMatchObject({ waitingFor: 'place', who: 'b', subject: 'old-1' });
});

it.each<Reason>([
  { waitingFor: 'group', who: 'b', subject: 'web' },
  { waitingFor: 'answer', who: 'b', subject: 'p' },
  // A project has agreed to free it.
  { waitingFor: 'room', who: 'old-2', subject: 'p' },
])('leaves a wait for $waitingFor of $subject as it is', (reason) => {
  expect(asTurn(new Map([[reason.who, { atMs: 1 }]]))(reason)).toBe(reason);
});

it('tells when the turn of a host comes that waits for others', () => {
  const reason: Reason = { waitingFor: 'host', who: 'old-2', subject: 'old-1' };
  expect(asTurn(new Map([['old-2', { atMs: 1 }]]))(reason)).toEqual({ ...reason, untilMs: 1 });
});
