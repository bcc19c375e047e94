import { parseFleet } from '../../../../clouds/simulated/fleet-file';
import { simulate } from '../../../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../../../rules/simulation/strategy';
import {
  aConstrainedInstance,
  aFleetFile,
  aFleetGroup,
  aFleetHost,
  aFleetInstance,
  uuidNumber,
} from '../../../builders/a-fleet-file';

describe('simulate', () => {
  it('leaves a host disabled that was so before, and sends nothing there', () => {
    const hosts = ['off', 'old', 'spare'].map((name) => aFleetHost({ name, enabled: name !== 'off' }));
    const fleet = parseFleet(aFleetFile({ hosts, instances: [aFleetInstance({ host: 'old' })] }));
    const { trace, failure } = simulate(fleet, { limits: limitsOfStrategy('vnf', fleet) });
    expect(failure).toBeUndefined();
    expect(trace.filter(({ event }) => event === 'enable').map(({ host }) => host)).not.toContain('off');
    expect(trace.filter(({ event }) => event === 'move_start').map(({ to }) => to)).not.toContain('off');
  });

  it('traces the events of a schedule and no others', () => {
    const hosts = ['old', 'spare'].map((name) => aFleetHost({ name, maintain: name === 'old' }));
    const instances = [aConstrainedInstance({ host: 'old', ready_s: 5 })];
    const fleet = parseFleet(aFleetFile({ hosts, groups: [aFleetGroup()], instances }));
    const { trace } = simulate(fleet, { limits: limitsOfStrategy('vnf', fleet) });
    const work = ['maintenance_start', 'maintenance_end', 'enable', 'done'];
    expect(trace.map(({ event }) => event)).toEqual([
      ...['disable', 'notify', 'reply', 'move_start', 'move_end', ...work],
    ]);
  });

  it('keeps the members of a group apart for which nobody stored constraints', () => {
    const names = ['host-1', 'host-2', 'host-3'];
    const hosts = names.map((name) => aFleetHost({ name, vcpus: name === 'host-2' ? 32 : 16 }));
    const instances = names.slice(0, 2).map((host, number) => {
      return aFleetInstance({ instance_id: uuidNumber(number), group_id: uuidNumber(500), host });
    });
    const fleet = parseFleet(aFleetFile({ hosts, groups: [aFleetGroup()], instances }));
    const { trace, failure } = simulate(fleet, { limits: limitsOfStrategy('vnf', fleet) });
    expect(failure).toBeUndefined();
    const where = new Map(instances.map(({ instance_id, host }) => [instance_id, host]));
    for (const { event, instance, to } of trace) {
      if (event === 'move_start') where.set(String(instance), String(to));
      expect(new Set(where.values()).size).toBe(2);
    }
  });

  it.each([
    { resource_mitigation: false, ready_s: 5, failure: undefined },
    { resource_mitigation: true, ready_s: 5, failure: /projects have to scale in/ },
    { resource_mitigation: false, ready_s: null, failure: /projects have to scale in/ },
  ])(
    'goes on with a full fleet where a project deletes its instance first: $failure for $resource_mitigation, answer in $ready_s s',
    ({ failure, ...given }) => {
      const hosts = ['host-1', 'host-2'].map((name) => aFleetHost({ name }));
      const of = { group_id: uuidNumber(501), vcpus: 16 };
      const instances = [
        aConstrainedInstance({
          ...of,
          instance_id: uuidNumber(0),
          host: 'host-1',
          migration_type: 'OWN_ACTION',
          ...given,
        }),
        aConstrainedInstance({ ...of, instance_id: uuidNumber(1), host: 'host-2' }),
      ];
      const groups = [aFleetGroup({ group_id: uuidNumber(501), anti_affinity_group: false })];
      const fleet = parseFleet(aFleetFile({ hosts, groups, instances }));
      const outcome = simulate(fleet, { limits: limitsOfStrategy('vnf', fleet) });
      expect(outcome.failure ?? '').toMatch(failure ?? /^$/);
    },
  );

  const cannotBeDrained =
    'no host can be drained, and projects have to scale in; host host-1 %least; ' +
    `host host-1 cannot be drained: instance vm-0 (${uuidNumber(0)}) of project ${uuidNumber(900)} waits for `;
  it.each([
    {
      lack: 'capacity',
      given: { vcpus: 12 },
      least: 'needs the least, 8 vcpus more on 1 other host',
      help: '8 vcpus missing on host host-2, which comes closest; free that much there, or add or enable a compute host',
    },
    {
      lack: 'affinity',
      given: { group_id: uuidNumber(500) },
      least:
        'comes closest, but for the anti-affinity of what is on it: 1 slot more on other hosts, or 2 vcpus and 4096 MB ' +
        'of memory scaled in',
      help:
        `max_instances_per_host 1 of group web (${uuidNumber(500)}) is reached on every compute host; raise the limit, ` +
        'scale the group in, or add or enable a compute host',
    },
  ])('says of a fleet that cannot be maintained which instance waits for $lack', ({ lack, given, least, help }) => {
    const hosts = ['host-1', 'host-2'].map((name) => aFleetHost({ name }));
    const instances = hosts.map(({ name: host }, number) => {
      return aConstrainedInstance({
        instance_id: uuidNumber(number),
        instance_name: `vm-${number}`,
        host,
        group_id: uuidNumber(501),
        ...given,
      });
    });
    const groups = [aFleetGroup(), aFleetGroup({ group_id: uuidNumber(501), anti_affinity_group: false })];
    const fleet = parseFleet(aFleetFile({ hosts, groups, instances }));
    expect(simulate(fleet, { limits: limitsOfStrategy('vnf', fleet) }).failure).toBe(
      `${cannotBeDrained.replace('%least', least)}${lack}: ${help}`,
    );
  });
});
