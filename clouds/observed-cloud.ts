/** A cloud driver whose calls are observed: counted, timed, traced. */
import type { CloudDriver } from './cloud-driver';

/** Wraps one call. It must return and throw what the call does. */
export type ObserveCall = <T>(operation: string, call: () => Promise<T>) => Promise<T>;

const operations: ReadonlySet<PropertyKey> = new Set([
  'choosesTarget',
  'listHosts',
  'listHostsLately',
  'findHost',
  'listInstances',
  'listInstancesLately',
  'whatIsOn',
  'findInstance',
  'listMoving',
  'listGroups',
  'listGroupsLately',
  'disableHost',
  'enableHost',
  'startMove',
  'observeMove',
  'forceMove',
  'abortMove',
  'watchLeftOvers',
  'projectNames',
  'projectContacts',
  'projectTerms',
  'maintenanceSeconds',
  'showStandings',
  'ping',
  'missingRights',
  'notOffered',
] satisfies readonly (keyof CloudDriver)[]);

type Call = (...given: unknown[]) => Promise<unknown>;

/** A driver may lack an operation, and keeps lacking it. */
export const observedCloud = (cloud: CloudDriver, observe: ObserveCall): CloudDriver =>
  new Proxy(cloud, {
    get(driver, name) {
      const value: unknown = Reflect.get(driver, name);
      if (!operations.has(name) || typeof value !== 'function') return value;
      const call = value as Call;
      return (...given: unknown[]) => observe(String(name), () => call.apply(driver, given));
    },
  });
