/** Expects how long maintenances take while nobody tells them: it learns from each that ends. */
import type { Fleet, Host } from '../decisions/fleet/fleet';
import { isDone } from '../decisions/fleet/host-work';
import type { FleetModel } from '../decisions/model/fleet-model';
import {
  type ExpectedTimes,
  expectedTimes,
  type SeenMaintenance,
  type SeenTimes,
} from '../expectations/expected-times';

export class LearnedMaintenances {
  readonly #ended: SeenMaintenance[] = [];
  #times: ExpectedTimes;

  constructor(private readonly before: SeenTimes) {
    this.#times = expectedTimes(before);
  }

  /** The fleet with what is expected of its hosts. */
  expectedIn(fleet: Fleet): Fleet {
    return { ...fleet, hosts: fleet.hosts.map((host) => this.#expectedOf(host)) };
  }

  /** The times expected of the session's other hosts may change by it. */
  noteEnd(model: FleetModel, hostname: string, seconds: number): void {
    const type = model.hostByName.get(hostname)?.type;
    if (type === undefined) return;
    this.#ended.push({ hostname, type, seconds, isOfThisSession: true });
    this.#times = expectedTimes({ ...this.before, maintenances: [...this.before.maintenances, ...this.#ended] });
    for (const host of model.hosts.filter(({ work }) => work && !isDone(work))) {
      const expected = this.#expectedOf(host);
      if (expected.expectedMaintenanceSeconds !== host.expectedMaintenanceSeconds) model.setHost(expected);
    }
  }

  #expectedOf(host: Host): Host {
    const { name, type, isCompute } = host;
    return { ...host, expectedMaintenanceSeconds: this.#times.maintenanceSeconds({ name, type, isCompute }) };
  }
}
