import { parseFleet } from '../../../../clouds/simulated/fleet-file';
import { generateFleet } from '../../../../dev/bench/generate-fleet';
import { simulate } from '../../../../rules/simulation/simulate';
import { limitsOfStrategy } from '../../../../rules/simulation/strategy';

const request = { hosts: 12, instances: 90, seed: 7, recoverySeconds: 5 };

describe('the fleet of a measurement', () => {
  it('is the same for the same request, and another for another seed', () => {
    expect(generateFleet(request)).toEqual(generateFleet(request));
    expect(generateFleet({ ...request, seed: 8 }).instances).not.toEqual(generateFleet(request).instances);
  });

  it('is a fleet that a cloud can hold, of the size that was asked for', () => {
    const fleet = parseFleet(generateFleet(request));
    expect(fleet.hosts).toHaveLength(12);
    expect(fleet.instances).toHaveLength(90);
  });

  it.each([1, 2, 3, 4, 5])('can be maintained wholly (seed %i)', (seed) => {
    const fleet = parseFleet(generateFleet({ ...request, seed }));
    expect(simulate(fleet, { limits: limitsOfStrategy('vnf', fleet) }).failure).toBeUndefined();
  });

  it('is refused where the instances do not fit on the hosts', () => {
    expect(() => generateFleet({ ...request, instances: 2_000 })).toThrow(/ask for fewer/);
  });
});
