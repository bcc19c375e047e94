/**
 * The work of sessions on hosts in virtual time: each step is taken as the service takes it (rules/steps/host-step.ts),
 * and what follows from it happens on the clock of the world.
 */
import type { Host, HostPhase, HostWork } from '../decisions/fleet/fleet';
import { stepHost } from '../steps/apply-decision';
import type { HostEvent } from '../steps/host-step';
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

export interface HostsSetting {
  readonly world: VirtualWorld;
  readonly times: Pick<Times, 'maintenanceMs' | 'waitsForEnds'>;
  /** Ends the questions about the host that no action has followed yet. */
  readonly withdrawQuestions: (hostname: string) => void;
  /** True of a host that has failed and is not enabled when its last move has ended. */
  readonly staysDisabled: (work: HostWork) => boolean;
  /** True where hosts on which something failed go back to use, whenever that was. */
  readonly enablesFailedHosts: (hostname: string) => boolean;
  /** Called with each host that has just been disabled for its drain. */
  readonly disabled: (hostname: string) => void;
  /** Called with each host on which the work has just ended. */
  readonly ended: (host: Host) => void;
  /** Called at the end of every maintenance, with its duration. */
  readonly maintained: ((world: VirtualWorld, hostname: string, ms: number) => void) | undefined;
}

export class VirtualHosts {
  readonly leftOut: HostLeftOut[] = [];
  readonly #releasing = new Set<string>();

  constructor(private readonly setting: HostsSetting) {}

  /** Goes on with the work on a host that is under work when the run begins. */
  takeOver(host: Host): void {
    const { name, work } = host;
    const { world } = this.setting;
    if (work?.phase === 'maintaining') this.#endMaintenance(name, world.nowMs - (work.announcedAtMs ?? world.nowMs));
    if (work?.phase === 'emptying') this.#drainOn(host, work);
    if (work?.phase === 'releasing') this.#releasing.add(name);
  }

  #drainOn(host: Host, { disabled }: HostWork): void {
    if (!disabled) this.setting.world.setWork(host.name, { disabled: true }, false);
    waitForEndsOn(this.setting, host);
  }

  /** Takes the step that follows from the event, and begins what follows from the step. */
  step(hostname: string, event: HostEvent): void {
    const work = stepHost(this.setting.world.model, hostname, event)?.work;
    if (work !== undefined) this.#follow(hostname, work);
  }

  #follow(hostname: string, work: HostWork): void {
    const { phase, failure, skipReason } = work;
    if (phase === 'emptying') this.#drain(hostname, work);
    if (phase === 'maintaining') this.#maintain(hostname);
    if (phase === 'releasing') this.#release(hostname);
    if (phase === 'set_aside') this.#leaveOut(hostname, phase, failure);
    if (phase === 'skipped') this.#leaveOut(hostname, phase, skipReason);
  }

  /** Ends the release of every host that nothing leaves any more. True when there was any. */
  endReleases(): boolean {
    const { world } = this.setting;
    const { outgoingByHost } = world.model;
    const over = [...this.#releasing].filter((hostname) => !outgoingByHost.has(hostname));
    for (const hostname of over) {
      this.#releasing.delete(hostname);
      world.afterStep('release', () => this.#endRelease(hostname));
    }
    return over.length > 0;
  }

  /** Something on the host has failed. One in maintenance may be broken, and stays disabled unless its session says. */
  fail(hostname: string, failure: string): void {
    const { world, enablesFailedHosts } = this.setting;
    const phase = this.#phaseOf(hostname);
    if (phase === 'maintaining') {
      world.note('maintenance_end', { host: hostname, broken: true });
      if (enablesFailedHosts(hostname)) this.step(hostname, { kind: 'fail', failure });
      else world.setWork(hostname, { phase: 'failed', failure }, false);
    } else if (phase === 'emptying' || phase === 'releasing') this.step(hostname, { kind: 'fail', failure });
  }

  #phaseOf(hostname: string): HostPhase | undefined {
    return this.setting.world.model.hostByName.get(hostname)?.work?.phase;
  }

  #drain(hostname: string, { drainingSinceMs = this.setting.world.nowMs }: HostWork): void {
    const { world, disabled } = this.setting;
    world.afterStep('disable', () => {
      if (this.#phaseOf(hostname) !== 'emptying') return;
      world.note('disable', { host: hostname });
      const host = world.setWork(hostname, { disabled: true, drainingSinceMs }, false);
      waitForEndsOn(this.setting, host);
      disabled(hostname);
    });
  }

  #maintain(hostname: string): void {
    const { world } = this.setting;
    world.note('maintenance_start', { host: hostname });
    world.afterStep('announce', () => {
      if (this.#phaseOf(hostname) !== 'maintaining') return;
      world.setWork(hostname, { announced: true, announcedAtMs: world.nowMs }, false);
    });
    this.#endMaintenance(hostname, 0);
  }

  /** Its moves that have begun come to their end first. */
  #release(hostname: string): void {
    const { world, withdrawQuestions } = this.setting;
    world.setWork(hostname, {}, false);
    withdrawQuestions(hostname);
    this.#releasing.add(hostname);
  }

  #endRelease(hostname: string): void {
    const { world, staysDisabled } = this.setting;
    const work = world.model.hostByName.get(hostname)?.work;
    if (work?.phase !== 'releasing') return;
    const isLeft = staysDisabled(work);
    this.step(hostname, { kind: 'givenBack', state: undefined });
    if (isLeft) this.#end(hostname, {}, false);
    else this.#enable(hostname);
  }

  #leaveOut(hostname: string, as: HostLeftOut['as'], because = ''): void {
    this.leftOut.push({ hostname, as, because, atMs: this.setting.world.nowMs });
  }

  #endMaintenance(hostname: string, elapsedMs: number): void {
    const { world, times, maintained } = this.setting;
    const host = world.model.hostByName.get(hostname);
    const maintenanceMs = host ? times.maintenanceMs(host) : 0;
    world.after(maintenanceMs - elapsedMs, () => {
      if (this.#phaseOf(hostname) !== 'maintaining') return;
      if (world.faults.failsMaintenance(hostname)) {
        this.fail(hostname, 'its plug-in failed');
        return;
      }
      world.note('maintenance_end', { host: hostname });
      this.step(hostname, { kind: 'maintained' });
      this.#enable(hostname);
      maintained?.(world, hostname, maintenanceMs);
    });
  }

  /** Enables the host again, unless somebody had disabled it before. */
  #enable(hostname: string): void {
    const { world } = this.setting;
    const isEnabled = world.model.hostByName.get(hostname)?.work?.disabledBefore !== true;
    if (isEnabled) world.note('enable', { host: hostname });
    this.#end(hostname, { disabled: false }, isEnabled);
  }

  #end(hostname: string, change: Partial<HostWork>, isEnabled: boolean): void {
    const { world, ended } = this.setting;
    ended(world.setWork(hostname, change, isEnabled));
  }
}
