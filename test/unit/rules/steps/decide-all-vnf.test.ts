import type { VnfLimits } from '../../../../rules/decisions/both-workflows/session-facts';
import type { Decision, SessionView } from '../../../../rules/decisions/decision';
import type { Host, Instance } from '../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../rules/steps/decide-all-vnf';
import {
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
  type InstanceFields,
} from '../../../builders/a-fleet';

const noonMs = Date.UTC(2026, 0, 1, 12);

interface Case {
  readonly hosts: readonly Host[];
  readonly instances: readonly Instance[];
  readonly reserved?: Readonly<Record<string, string>>;
  readonly limits?: Partial<VnfLimits>;
  readonly sessionId?: string;
  readonly drainOrder?: readonly string[];
}

const plan = ({ hosts, instances, reserved = {}, limits, sessionId = aSessionId, drainOrder }: Case) => {
  const groups = [aGroup({ maxImpactedMembers: 9 })];
  const reservations = Object.entries(reserved).map(([instanceId, target]) => ({ instanceId, target }));
  const view: SessionView = {
    sessionId,
    state: 'PLANNED_MAINTENANCE',
    fleet: { hosts, instances, groups, claims: [], reservations },
    drainOrder,
  };
  return decideAllVnf(view, noonMs, { defaultImpactShare: 0.25, ...limits });
};

const on = (host: string, id: string, fields: InstanceFields = {}): Instance =>
  anInstance({ id, host, leadTimeSeconds: 20, ...fields });
const admittedIn = ({ admit }: Decision): string[] => admit.map(({ instanceId }) => instanceId);

describe('all that a session does at one time', () => {
  it('opens hosts and reserves their places, and admits from those that are disabled already', () => {
    const hosts = [
      aHostIn('emptying', 'a'),
      aHostIn('waiting', 'b'),
      aHost({ name: 'spare', vcpus: 32, memoryMb: 65_536 }),
    ];
    const { decision, reserved } = plan({ hosts, instances: [on('a', '1'), on('b', '2')] });
    expect(decision.drain).toEqual(['b']);
    expect(admittedIn(decision)).toEqual(['1']);
    // An admitted instance needs no reservation any more.
    expect([...reserved]).toEqual([['2', 'spare']]);
  });

  it('leaves the instances of other sessions to these, but not their capacity', () => {
    const hosts = [
      aHostIn('waiting', 'a'),
      aHostIn('emptying', 'b', { work: { sessionId: anotherSessionId } }),
      aHost({ name: 'spare', vcpus: 4 }),
    ];
    const instances = [on('a', '1'), on('b', '2')];
    const theirs = plan({ hosts, instances, reserved: { 2: 'spare' } });
    expect(theirs.decision).toMatchObject({ drain: [], admit: [] });
    expect([...theirs.reserved]).toEqual([['2', 'spare']]);
    const owner = plan({ hosts, instances, reserved: { 2: 'spare' }, sessionId: anotherSessionId });
    expect(admittedIn(owner.decision)).toEqual(['2']);
  });

  it('says of every host that is not drained what it waits for', () => {
    const hosts = [
      aHostIn('maintaining', 'a'),
      aHostIn('waiting', 'b'),
      aHostIn('maintaining', 'c', { type: 'controller', isCompute: false }),
      aHostIn('waiting', 'd', { type: 'controller', isCompute: false }),
    ];
    const { decision } = plan({ hosts, instances: [on('b', '1', { vcpus: 12 })] });
    expect(decision.waiting).toMatchObject([
      { waitingFor: 'room', who: 'b', subject: expect.stringContaining('12 vcpus') as string },
      { waitingFor: 'host', who: 'd', subject: 'c' },
    ]);
  });

  it('gives the order of the hosts that wait', () => {
    const hosts = [...['a', 'b', 'c'].map((name) => aHostIn('waiting', name)), aHost({ name: 'spare' })];
    const instances = ['a', 'b', 'c'].map((name) => on(name, `on ${name}`, { vcpus: 12 }));
    const { drainOrder = [] } = plan({ hosts, instances }).decision;
    expect(drainOrder.toSorted()).toEqual(['a', 'b', 'c']);
  });

  describe('where no host can be drained, though there is as much capacity as each needs', () => {
    const names = ['a', 'b', 'c'];
    const spares = ['spare-1', 'spare-2'].map((name) => aHost({ name, vcpus: 8 }));
    const hosts = [aHostIn('maintaining', 'out'), ...names.map((name) => aHostIn('waiting', name)), ...spares];
    const instances = names.map((name) => on(name, `on ${name}`, { vcpus: 12 }));

    it('gives the order that took long to find', () => {
      const { decision } = plan({ hosts, instances });
      expect(decision.drain).toEqual([]);
      expect(decision.drainOrder?.toSorted()).toEqual(names);
    });

    it('leaves the one that is there', () => {
      const { decision } = plan({ hosts, instances, drainOrder: names });
      expect(decision).not.toHaveProperty('drainOrder');
    });
  });

  it('says so where it is the cap on hosts at once', () => {
    const hosts = [aHostIn('maintaining', 'a'), aHostIn('waiting', 'b'), aHost({ name: 'spare' })];
    const { decision } = plan({ hosts, instances: [on('b', '1')], limits: { maxParallelHosts: 1 } });
    expect(decision).toMatchObject({ drain: [], waiting: [{ waitingFor: 'host', who: 'b', subject: 'a' }] });
  });
});
