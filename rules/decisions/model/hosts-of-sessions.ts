/** The hosts of each session, by phase, without those that it passes over for now (rules/steering/hold-back.ts). */
import type { Host, HostPhase } from '../fleet/fleet';
import { hasFailed } from '../fleet/host-work';
import { listOrDrop, listsBy } from '../fleet/ordered';

const keysOf = ({ work }: Host): readonly string[] => {
  if (!work) return [];
  const { sessionId, phase, failure } = work;
  const failed = failure !== undefined || hasFailed(work) ? [keyOfFailed(sessionId)] : [];
  return [sessionId, keyOfPhase(sessionId, phase), ...failed];
};

const keyOfPhase = (sessionId: string, phase: HostPhase): string => `${sessionId} ${phase}`;
const keyOfFailed = (sessionId: string): string => `${sessionId} with failure`;

const nameOf = ({ name }: Host): string => name;

export class HostsOfSessions {
  /** Lists by the keys above; each ordered by name. */
  readonly #lists: Map<string, readonly Host[]>;
  #heldBack: ReadonlySet<string>;

  /** @param hosts by name */
  constructor(hosts: readonly Host[], heldBack: readonly string[]) {
    this.#lists = listsBy(hosts, keysOf);
    this.#heldBack = new Set(heldBack);
  }

  get heldBack(): readonly string[] {
    return [...this.#heldBack];
  }

  /** Lists the hosts in the phases, phase by phase, or in any where none is named; by name. */
  of(sessionId: string, phases: readonly HostPhase[]): readonly Host[] {
    const keys = phases.length === 0 ? [sessionId] : phases.map((phase) => keyOfPhase(sessionId, phase));
    const [first = [], ...others] = keys.map((key) => this.#lists.get(key) ?? []);
    const hosts = others.length === 0 ? first : first.concat(...others);
    return this.#heldBack.size === 0 ? hosts : hosts.filter(({ name }) => !this.#heldBack.has(name));
  }

  /** Those with a failure, whatever their phase. */
  failed(sessionId: string): readonly Host[] {
    return this.#lists.get(keyOfFailed(sessionId)) ?? [];
  }

  holdBack(names: readonly string[]): void {
    this.#heldBack = new Set(names);
  }

  replace(before: Host, after: Host): void {
    for (const key of keysOf(before)) listOrDrop(this.#lists, { key, item: before, idOf: nameOf }, -1);
    for (const key of keysOf(after)) listOrDrop(this.#lists, { key, item: after, idOf: nameOf }, 1);
  }
}
