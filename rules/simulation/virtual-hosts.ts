/** The work of sessions on hosts in virtual time: hosts are drained, maintained, given back, set aside and left out. */
import type { Host, HostWork } from '../decisions/fleet/fleet';
import { phaseSetAside } from '../decisions/fleet/set-aside-or-fail';
import type { Times } from './times';
import { waitForEndsOn } from './virtual-ends';
import type { VirtualWorld } from './virtual-world';

/** A host that the session goes on without. */
export interface HostLeftOut {
  readonly hostname: string;
  readonly as: 'set_aside' | 'skipped';
  readonly because: string;
  readonly atMs: number;
}

/**
 * The end of a host that is given back, once its last move has ended.
 * - again: it waits for its drain; `counts`: as one of the times that it may be given back to break a deadlock.
 * - set_aside: the session goes on without it; `staysDisabled`: nobody enables it.
 * - skipped: the session goes on without it, and it is enabled.
 */
export type AfterRelease =
  | { readonly kind: 'again'; readonly counts: boolean }
  | { readonly kind: 'set_aside'; readonly because: string; readonly staysDisabled: boolean }
  | { readonly kind: 'skipped'; readonly because: string };

export interface HostsSetting {
  readonly world: VirtualWorld;
  readonly times: Pick<Times, 'maintenanceMs' | 'waitsForEnds'>;
  /** Ends the questions about the host that no action has followed yet. */
  readonly withdrawQuestions: (hostname: string) => void;
  /** Called with each host on which the work has just ended. */
  readonly ended: (host: Host) => void;
  /** Called at the end of every maintenance, with its duration. */
  readonly maintained: ((world: VirtualWorld, hostname: string, ms: number) => void) | undefined;
}

export class VirtualHosts {
  readonly leftOut: HostLeftOut[] = [];
  readonly #releasing = new Map<string, AfterRelease>();

  constructor(private readonly setting: HostsSetting) {}

  /** Goes on with the work on a host that is under work when the run begins. */
  takeOver(host: Host, after: AfterRelease): void {
    const { name, work } = host;
    const { world } = this.setting;
    if (work?.phase === 'maintaining') this.#endMaintenance(name, world.nowMs - (work.announcedAtMs ?? world.nowMs));
    if (work?.phase === 'emptying') this.#drainOn(host, work);
    if (work?.phase === 'releasing') this.#releasing.set(name, after);
  }

  #drainOn(host: Host, { disabled }: HostWork): void {
    if (!disabled) this.setting.world.setWork(host.name, { disabled: true }, false);
    waitForEndsOn(this.setting, host);
  }

  startToDrain(hostname: string): void {
    const { world } = this.setting;
    world.note('disable', { host: hostname });
    const { drainingSinceMs = world.nowMs } = world.model.hostByName.get(hostname)?.work ?? {};
    world.setWork(hostname, { phase: 'emptying', disabled: true, drainingSinceMs }, false);
    const host = world.model.hostByName.get(hostname);
    if (host) waitForEndsOn(this.setting, host);
  }

  begin(hostname: string): void {
    const { world } = this.setting;
    world.note('maintenance_start', { host: hostname });
    world.setWork(hostname, { phase: 'maintaining', announced: true, announcedAtMs: world.nowMs }, false);
    this.#endMaintenance(hostname, 0);
  }

  /** Its moves that have begun come to their end first. */
  giveBack(hostname: string, after: AfterRelease): void {
    const { world, withdrawQuestions } = this.setting;
    for (const { id } of world.model.instancesOn(hostname)) world.model.unreserve(id);
    const failure = after.kind === 'set_aside' ? { failure: after.because } : {};
    world.setWork(hostname, { phase: 'releasing', ...failure }, false);
    withdrawQuestions(hostname);
    this.#releasing.set(hostname, after);
  }

  /** A host that is being drained is given back first. All other hosts stay enabled or disabled. */
  setAside(hostname: string, because: string, staysDisabled: boolean): void {
    const host = this.setting.world.model.hostByName.get(hostname);
    if (host?.work && phaseSetAside(host.work) === 'releasing') {
      this.giveBack(hostname, { kind: 'set_aside', because, staysDisabled });
      return;
    }
    this.setting.world.setWork(hostname, { phase: 'set_aside', failure: because }, host?.enabled === true);
    this.#leaveOut(hostname, 'set_aside', because);
  }

  /** Ends the release of every host that nothing leaves any more. True when there was any. */
  endReleases(): boolean {
    const { outgoingByHost } = this.setting.world.model;
    const over = [...this.#releasing].filter(([hostname]) => !outgoingByHost.has(hostname));
    for (const [hostname, after] of over) {
      this.#releasing.delete(hostname);
      this.#endRelease(hostname, after);
    }
    return over.length > 0;
  }

  #endRelease(hostname: string, after: AfterRelease): void {
    const { world } = this.setting;
    switch (after.kind) {
      case 'again': {
        const releases = (world.model.hostByName.get(hostname)?.work?.releases ?? 0) + (after.counts ? 1 : 0);
        this.#endWork(hostname, { phase: 'waiting', disabled: false, releases });
        return;
      }
      case 'skipped':
        this.#endWork(hostname, { phase: 'skipped', disabled: false });
        break;
      case 'set_aside':
        if (after.staysDisabled) this.#setWork(hostname, { phase: 'set_aside' }, false);
        else this.#endWork(hostname, { phase: 'set_aside', disabled: false });
    }
    this.#leaveOut(hostname, after.kind, after.because);
  }

  #leaveOut(hostname: string, as: HostLeftOut['as'], because: string): void {
    this.leftOut.push({ hostname, as, because, atMs: this.setting.world.nowMs });
  }

  #endMaintenance(hostname: string, elapsedMs: number): void {
    const { world, times, maintained } = this.setting;
    const host = world.model.hostByName.get(hostname);
    const maintenanceMs = host ? times.maintenanceMs(host) : 0;
    world.after(maintenanceMs - elapsedMs, () => {
      world.note('maintenance_end', { host: hostname });
      this.#endWork(hostname, { phase: 'maintained', disabled: false });
      maintained?.(world, hostname, maintenanceMs);
    });
  }

  /** Enables the host again, unless somebody had disabled it before. */
  #endWork(hostname: string, change: Partial<HostWork>): void {
    const { world } = this.setting;
    const isEnabled = world.model.hostByName.get(hostname)?.work?.disabledBefore !== true;
    if (isEnabled) world.note('enable', { host: hostname });
    this.#setWork(hostname, change, isEnabled);
  }

  #setWork(hostname: string, change: Partial<HostWork>, isEnabled: boolean): void {
    const { world, ended } = this.setting;
    world.setWork(hostname, change, isEnabled);
    const host = world.model.hostByName.get(hostname);
    if (host) ended(host);
  }
}
