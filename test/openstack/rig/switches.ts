/** The rig's cables and power buttons (python/switches.py). */
import { setTimeout as pause } from 'node:timers/promises';
import { callJson } from './json-client';
import { testOpenStack } from './openstack-addresses';

/** python/hypervisor.py says what each means. */
export interface Fault {
  readonly prepare_seconds?: number;
  readonly seconds?: number;
  readonly progress?: boolean;
  readonly deaf?: boolean;
  readonly cold_seconds?: number;
  readonly fail?: 'check' | 'cpu' | 'run' | 'cold' | 'move' | 'arrive' | 'lost';
  readonly times?: number;
  readonly as_libvirt?: boolean;
  readonly odd_check?: readonly string[];
  readonly stuck?: boolean;
}

const post = async (path: string, body: unknown = {}): Promise<void> => {
  await callJson(`${testOpenStack().switches}${path}`, { method: 'POST', body });
};

export const setFault = (serverId: string, fault: Fault): Promise<void> => post('/faults', { [serverId]: fault });

export const removeFault = async (serverId: string): Promise<void> => {
  await callJson(`${testOpenStack().switches}/faults/${serverId}`, { method: 'DELETE' });
};

/** A new compute host; nothing where it is there. */
export const addHost = (host: string, size?: { readonly vcpus: number; readonly memory_mb: number }): Promise<void> =>
  post(`/hosts/${host}`, size ?? {});

interface OfferedThings {
  /** All its processors are dedicated: PCPU in the place of VCPU. */
  readonly pinned?: boolean;
  /** Custom ones. */
  readonly traits?: readonly string[];
  /** It refuses every live migration for its processor. */
  readonly foreign?: boolean;
}

/** What hosts offer from now on; all others offer the usual. */
export const setOffers = (offers: Readonly<Record<string, OfferedThings>>): Promise<void> => post('/offers', offers);

/** What Nova asks for the vendor data of guests: each as NAME@ADDRESS. */
export const setVendordataTargets = (targets: readonly string[]): Promise<void> => post('/vendordata', targets);

export const stopCompute = (host: string): Promise<void> => post(`/hosts/${host}/stop`);
export const startCompute = (host: string): Promise<void> => post(`/hosts/${host}/start`);

/** The policies of Nova and placement give the role these rules, and no other role but admin any. */
export const setPolicy = (role: string, rules: readonly string[]): Promise<void> => post('/policy', { role, rules });
/** The policies that they come with. */
export const resetPolicy = (): Promise<void> => post('/policy');

/** The cell with all computes stops answering Nova's API, and its servers go on. */
export const stopCell = (): Promise<void> => post('/cell/stop');
export const startCell = (): Promise<void> => post('/cell/start');

/** Nova goes on listing the conductor of a pod whose name is gone. */
export const leavePod = (name: string): Promise<void> => post(`/pods/${name}`);
export const removePod = async (name: string): Promise<void> => {
  await callJson(`${testOpenStack().switches}/pods/${name}`, { method: 'DELETE' });
};

/** The visible facts about a server that is not built (python/diagnosis.py). */
export const diagnose = async (serverId: string): Promise<string> => {
  const { body } = await callJson(`${testOpenStack().switches}/diagnosis/${serverId}`);
  return JSON.stringify(body, undefined, 1);
};

/** The periodic tasks of every nova-compute, now. */
export const audit = (): Promise<void> => post('/audit');

/** The cheap one of these tasks: the scheduler learns which servers have left a host. */
const sync = (): Promise<void> => post('/sync');

const pauseMs = 10_000;
const syncsBetweenAudits = 5;

/** Nova's periodic tasks, which come every minute or two, somewhat sooner. @returns what ends them */
export const keepAuditing = (): (() => void) => {
  const ended = new AbortController();
  const go = async (): Promise<void> => {
    for (let round = 1; ; round += 1) {
      await pause(pauseMs, undefined, { signal: ended.signal });
      const task = round % syncsBetweenAudits === 0 ? audit : sync;
      await task().catch(() => undefined); // the next one will do
    }
  };
  void go().catch(() => undefined); // it was ended
  return () => {
    ended.abort();
  };
};
