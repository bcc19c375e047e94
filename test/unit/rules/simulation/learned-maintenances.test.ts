import { parseFleet } from '../../../../clouds/simulated/fleet-file';
import { usualTimes } from '../../../../rules/decisions/fleet/usual-times';
import { nothingSeen } from '../../../../rules/expectations/expected-times';
import { simulate, type SimulationOptions } from '../../../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../../../rules/simulation/strategy';
import { aFleetFile, aFleetHost } from '../../../builders/a-fleet-file';

/** Empty, and maintained one after the other. */
const hosts = [300, 500, 400, 100].map((maintenance_s, index) => aFleetHost({ name: `host-${index}`, maintenance_s }));
const fleet = parseFleet(aFleetFile({ hosts, groups: [], instances: [] }));

/** The times that decisions expect of the waiting hosts, at each decision. */
const expectationsIn = (given: Pick<SimulationOptions, 'learnsFrom'>): (readonly (number | undefined)[])[] => {
  const seen: (readonly (number | undefined)[])[] = [];
  const { failure } = simulate(fleet, {
    ...given,
    limits: limitsOfStrategy('serial', fleet),
    watch: ({ model, sessionId }) => {
      const waiting = model.hostsOf(sessionId, 'waiting').toSorted((one, two) => one.name.localeCompare(two.name));
      seen.push(waiting.map(({ expectedMaintenanceSeconds }) => expectedMaintenanceSeconds));
    },
  });
  expect(failure).toBeUndefined();
  return seen;
};

describe('a simulation that learns', () => {
  it('expects at first what is usual, then the median of what hosts of the type took', () => {
    const seen = expectationsIn({ learnsFrom: nothingSeen });
    expect(seen[0]).toEqual(hosts.map(() => usualTimes.maintenanceSeconds));
    expect(seen).toContainEqual([300, 300, 300]);
    expect(seen).toContainEqual([400, 400]);
  });

  it('expects what each host took before, whatever others take', () => {
    const maintenances = hosts.map(({ name, maintenance_s = 0 }) => ({
      ...{ hostname: name, type: 'compute' as const, isOfThisSession: false },
      seconds: maintenance_s + 1,
    }));
    const seen = expectationsIn({ learnsFrom: { ...nothingSeen, maintenances } });
    expect(seen[0]).toEqual([301, 501, 401, 101]);
    expect(seen).toContainEqual([401, 101]);
  });

  it('is told by the file where it does not learn', () => {
    expect(expectationsIn({})[0]).toEqual([300, 500, 400, 100]);
  });
});
