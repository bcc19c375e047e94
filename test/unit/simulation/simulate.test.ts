import type { WireFleet } from '../../../clouds/simulated/fleet-schema';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { FullRehearsal } from '../../../planning/opening/full-rehearsal';
import { simulate } from '../../../simulation/simulate';
import { limitsOf } from '../../../simulation/strategy';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';

/** Three quarters of each host are in use: a few can be emptied at once, and who goes when is looked ahead for. */
const aFleetOfManyRounds = (): WireFleet => {
  const hosts = Array.from({ length: 20 }, (_, number) => aFleetHost({ name: `compute-${number}` }));
  const instances = hosts.flatMap(({ name }, host) =>
    Array.from({ length: 6 }, (_, slot) =>
      aFleetInstance({ instance_id: uuidNumber(host * 6 + slot), host: name, move_s: 10 + ((host * 7 + slot) % 50) }),
    ),
  );
  return aFleetFile({ hosts, instances });
};

describe('simulate', () => {
  afterEach(() => jest.restoreAllMocks());

  it('begins each look ahead with the order that the one before found: only the first one tries many', () => {
    const plays = jest.spyOn(FullRehearsal.prototype, 'play');
    const playsOfDecisions: number[] = [];
    // Read before and after each decision.
    const clock = (): number => playsOfDecisions.push(plays.mock.calls.length);
    const fleet = parseFleet(aFleetOfManyRounds());
    const { failure } = simulate(fleet, { limits: limitsOf('vnf', fleet), clock });
    expect(failure).toBeUndefined();
    const looks = playsOfDecisions
      .map((count, reading) => count - (playsOfDecisions[reading - 1] ?? 0))
      .filter((count) => count > 0);
    const [first = 0, ...later] = looks;
    expect(later).not.toHaveLength(0);
    expect(first).toBeGreaterThan(5 * Math.max(...later));
  });
});
