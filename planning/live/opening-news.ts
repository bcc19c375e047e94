/**
 * What has happened since hosts were last tried to open: it tells which of those that wait are worth another try, so
 * that an event which lets a single host go costs no look at all others.
 */
import type { Host } from '../fleet/fleet';

export class OpeningNews {
  /** At first everything is worth a try. */
  #hasMoreRoom = true;
  #hasReturning = false;
  readonly #settled = new Set<string>();

  /** Places that were not found before may be found now, or more hosts may be under work at once. */
  moreRoom(): void {
    this.#hasMoreRoom = true;
  }

  /** A host is in maintenance, so that another one may be begun with whose rest will go there. */
  returning(): void {
    this.#hasReturning = true;
  }

  /** Nothing is on its way to the host any more, which kept it from going under work. */
  settled(hostname: string): void {
    this.#settled.add(hostname);
  }

  get isAny(): boolean {
    return this.#hasMoreRoom || this.#hasReturning || this.#settled.size > 0;
  }

  /** Whether all of the host's instances may find a place now that did not before. */
  mayOpen({ name }: Host): boolean {
    return this.#hasMoreRoom || this.#settled.has(name);
  }

  /** Whether the host may be begun with now, though some of its instances find no place yet, and could not before. */
  mayOpenAhead(host: Host): boolean {
    return this.#hasReturning || this.mayOpen(host);
  }

  clear(): void {
    [this.#hasMoreRoom, this.#hasReturning] = [false, false];
    this.#settled.clear();
  }
}
