/**
 * The contract of every driver, whatever its cloud: `describeCloudContract` runs the same cases over a rig, which is a
 * real or simulated cloud that can be made to misbehave. A rig only offers operations that every cloud has.
 */
import { randomUUID } from 'node:crypto';
import {
  type CloudDriver,
  CloudRefusal,
  type MoveRequest,
  type MoveStatus,
  TargetRefusal,
} from '../../../clouds/cloud-driver';
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import type { MoveAction } from '../../../rules/cloud/move-action';
import { idFormNames, idForms } from '../../builders/id-forms';
import { eventually } from '../../waiting/eventually';

export interface CloudRig {
  /** A driver of its own, as another process would have it; all look at one cloud. */
  openDriver(): CloudDriver;
  /** Three enabled compute hosts with capacity for all instances of the suite. */
  readonly source: string;
  readonly target: string;
  readonly elsewhere: string;
  /** A compute host without capacity for an instance. */
  readonly fullHost: string;
  /** Makes an instance on `source` whose moves take well below a second. */
  addInstance(): Promise<CloudInstance>;
  /** Makes an instance on `source` that the cloud keeps apart from another one, which is on `target`. */
  addInstanceApart(): Promise<CloudInstance>;
  /** Moves of the instance that begin from now on do not end by themselves: accepted, but nothing moves. */
  stall(instanceId: string): Promise<void>;
  /** Moves that begin from now on are as quick as before. */
  unstall(instanceId: string): Promise<void>;
  /** The instance's next move is accepted and fails while it runs. */
  failNextMove(instanceId: string): Promise<void>;
  deleteInstance(instanceId: string): Promise<void>;
  /** The project carries out its OWN_ACTION, where it has not begun to already. */
  actAsProject(instanceId: string, target: string): Promise<void>;
  refuseNextDisable(host: string): Promise<void>;
  /** The project resizes the instance onto `target`, and its way back to `source` stays until it confirms. */
  leaveWayBack(instanceId: string): Promise<void>;
  confirm(instanceId: string): Promise<void>;
  /** Books amounts on the host for something that no list shows. @returns its ID */
  bookHidden(host: string): Promise<string>;
  /** Gives back what `bookHidden` booked. */
  unbook(id: string): Promise<void>;
  /** Moves of the instance by the cloud's own log, whatever became of them. */
  countMoves(instanceId: string): Promise<number>;
  close(): Promise<void>;
}

export interface ContractTraits {
  readonly name: string;
  /** Actions that may be stored as `migration_type`. */
  readonly actions: readonly MoveAction[];
  /** The interval at which a move is observed: a cloud in our own memory may be asked more often than a real one. */
  readonly pollMs: number;
  /**
   * True where nothing moves: an instance is made again, with another ID, where the cloud finds room. Left out: it
   * keeps its ID and goes to the target.
   */
  readonly makesAgain?: boolean;
}

const refusalOf = async (call: Promise<unknown>): Promise<CloudRefusal> => {
  const error: unknown = await call.then(
    () => new Error('the call was not refused'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof CloudRefusal) return error;
  throw error;
};

const reasonOf = (status: MoveStatus): string => {
  if (status.kind === 'failed') return status.reason;
  throw new Error(`the move did not fail, it is ${status.kind}`);
};

/** Runs the contract; `makeRig` is called once and its rig closed at the end. */
export const describeCloudContract = (
  { name, actions, pollMs, makesAgain = false }: ContractTraits,
  makeRig: () => Promise<CloudRig>,
): void => {
  describe(`the contract of cloud drivers: ${name}`, () => {
    let rig: CloudRig;
    let driver: CloudDriver;
    beforeAll(async () => {
      rig = await makeRig();
      driver = rig.openDriver();
    });
    afterAll(() => rig.close());

    /** A new claim's move from the source to the target, by the default action. */
    const aMove = (instanceId: string, given: Partial<MoveRequest> = {}): MoveRequest => ({
      claimId: randomUUID(),
      instanceId,
      action: driver.actions.default,
      source: rig.source,
      target: rig.target,
      ...given,
    });
    const untilOver = (driver: CloudDriver, move: MoveRequest): Promise<MoveStatus> =>
      eventually({ what: `the move ${JSON.stringify(move)} is over`, pollMs }, async () => {
        const status = await driver.observeMove(move);
        return status.kind === 'running' ? undefined : status;
      });
    /** The status of a move that came to its good end. */
    const moved = (host: string): MoveStatus => (makesAgain ? { kind: 'gone' } : { kind: 'done', host });
    /** Where an instance is after its move. */
    const isOn = (host: string): string | undefined => (makesAgain ? undefined : host);
    /** Such a cloud says why it has not begun. */
    const stillRuns: unknown = makesAgain ? expect.objectContaining({ kind: 'running' }) : { kind: 'running' };
    /** Cases of instances that keep their IDs and go where they are sent. */
    const whereInstancesMove = (cases: () => void): void => {
      if (!makesAgain) cases();
    };
    const hostOf = async (instanceId: string): Promise<string | undefined> =>
      (await driver.findInstance(instanceId))?.host;
    /** A stalled move that has begun; a later move of the instance is quick again. */
    const aStalledMove = async (given: Partial<MoveRequest> = {}): Promise<MoveRequest> => {
      const { instanceId } = await rig.addInstance();
      const move = aMove(instanceId, given);
      await rig.stall(instanceId);
      await driver.startMove(move);
      await rig.unstall(instanceId);
      return move;
    };

    describe('its actions', () => {
      it('are told in full, each once', () => {
        const { migrationTypes, offered } = driver.actions;
        expect([...migrationTypes].sort()).toEqual([...actions].sort());
        expect(new Set(migrationTypes).size).toBe(migrationTypes.length);
        expect(new Set(offered).size).toBe(offered.length);
      });

      it('may all be stored where they are offered, and a project may always act on its own', () => {
        const { migrationTypes, offered } = driver.actions;
        expect(migrationTypes).toEqual(expect.arrayContaining([...offered]));
        expect(offered).toContain('OWN_ACTION');
      });

      it("are the service's own where nobody chooses and where one is forced", () => {
        const { offered, migrationTypes, default: defaultAction, forced } = driver.actions;
        expect(offered).toContain(defaultAction);
        expect(migrationTypes).toContain(forced);
        expect([defaultAction, forced]).not.toContain('OWN_ACTION');
      });

      it('are the same in every process', () => {
        expect(rig.openDriver().actions).toEqual(driver.actions);
      });
    });

    describe('looking', () => {
      it('reaches the cloud', async () => {
        await expect(driver.ping()).resolves.toBeUndefined();
      });

      it('lists hosts with their capacity', async () => {
        const host = (await driver.listHosts()).find(({ name }) => name === rig.target)!;
        expect(host).toMatchObject({ type: 'compute', isCompute: true, enabled: true });
        const { amounts } = await rig.addInstance();
        expect(Object.keys(amounts).length).toBeGreaterThan(1);
        for (const [name, amount] of Object.entries(amounts)) {
          expect(amount).toBeGreaterThan(0);
          expect(host.amounts[name]).toBeGreaterThan(amount);
        }
      });

      it('tells labels of hosts as texts by their keys', async () => {
        const labels = (await driver.listHosts()).map((host) => host.labels ?? {});
        const told = labels.flatMap((each) => Object.entries(each));
        expect(told.length).toBeGreaterThan(0);
        for (const [key, text] of told) expect([key, text]).toEqual([expect.stringMatching(/./), expect.any(String)]);
      });

      it('finds a host as it lists it, and none that is not there', async () => {
        const host = (await driver.listHosts()).find(({ name }) => name === rig.target);
        expect(await driver.findHost(rig.target)).toEqual(host);
        await expect(driver.findHost('no-such-host')).resolves.toBeUndefined();
      });

      it('finds an instance, in the list of all and in that of its host alone', async () => {
        const instance = await rig.addInstance();
        expect(await driver.findInstance(instance.instanceId)).toEqual(instance);
        expect(await driver.listInstances()).toContainEqual(instance);
        expect(await driver.listInstances(rig.source)).toContainEqual(instance);
        expect(await driver.listInstances(rig.target)).not.toContainEqual(instance);
        expect(await driver.listInstancesLately(rig.source)).toContainEqual(instance);
        expect(await driver.listInstancesLately(rig.target)).not.toContainEqual(instance);
      });

      it('finds an instance by its ID in every form, which it gives back in its own', async () => {
        const instance = await rig.addInstance();
        for (const form of idFormNames) {
          expect(await driver.findInstance(idForms[form](instance.instanceId))).toEqual(instance);
        }
      });

      it('finds nothing where there is nothing', async () => {
        expect(await driver.findInstance(randomUUID())).toBeUndefined();
        expect(await driver.listInstances('no-such-host')).toEqual([]);
        expect(await driver.observeMove(aMove(randomUUID()))).toEqual({ kind: 'unknown' });
        expect(await driver.abortMove(aMove(randomUUID()))).toEqual({ kind: 'unknown' });
      });

      it('lists an instance as moving for as long as it is', async () => {
        const move = await aStalledMove();
        const isListed = async () =>
          (await driver.listMoving()).some(({ instanceId }) => instanceId === move.instanceId);
        expect(await isListed()).toBe(true);
        await driver.abortMove(move);
        await untilOver(driver, move);
        expect(await isListed()).toBe(false);
      });

      it('lists groups whose instances exist', async () => {
        const known = new Set((await driver.listInstances()).map((instance) => instance.instanceId));
        const members = (await driver.listGroups()).flatMap((group) => group.instanceIds);
        expect(members.filter((instanceId) => !known.has(instanceId))).toEqual([]);
      });
    });

    describe('what is on a host', () => {
      const doubtsAbout = async (host: string, id: string) =>
        (await driver.whatIsOn(host)).doubts.filter(
          ({ instanceId, because }) => instanceId === id || because.includes(id),
        );
      const untilNoDoubt = (host: string, id: string) =>
        eventually(
          `nothing is in doubt about ${id} on ${host}`,
          async () => (await doubtsAbout(host, id)).length === 0 || undefined,
        );

      it('is the instances that are listed there, and they are on no other', async () => {
        const instance = await rig.addInstance();
        expect((await driver.whatIsOn(rig.source)).instances).toContainEqual(instance);
        expect((await driver.whatIsOn(rig.target)).instances).not.toContainEqual(instance);
        for (const host of [rig.source, rig.target]) expect(await doubtsAbout(host, instance.instanceId)).toEqual([]);
      });

      whereInstancesMove(() => {
        it('is in doubt while a resized instance may come back, and its project can end that', async () => {
          const { instanceId, projectId } = await rig.addInstance();
          await rig.leaveWayBack(instanceId);
          expect((await driver.whatIsOn(rig.target)).instances).toContainEqual(expect.objectContaining({ instanceId }));
          expect(await doubtsAbout(rig.source, instanceId)).toMatchObject([{ owner: 'project', projectId }]);
          await rig.confirm(instanceId);
          await untilNoDoubt(rig.source, instanceId);
        });
      });

      it('is in doubt while amounts are booked for something that is not listed, and says who knows it', async () => {
        const id = await rig.bookHidden(rig.elsewhere);
        const [doubt, ...others] = await doubtsAbout(rig.elsewhere, id);
        expect(others).toEqual([]);
        expect(doubt).toMatchObject({ owner: 'operator', because: expect.stringContaining(id) as string });
        expect(doubt!.help).not.toBe('');
        await rig.unbook(id);
        await untilNoDoubt(rig.elsewhere, id);
      });
    });

    describe('disabling and enabling a host', () => {
      const seen = (name: string) => driver.findHost(name);
      afterEach(() => driver.enableHost(rig.elsewhere));

      it('is done once, however often it is asked for', async () => {
        await driver.disableHost(rig.elsewhere, 'maintenance one');
        await driver.disableHost(rig.elsewhere, 'maintenance two');
        expect(await seen(rig.elsewhere)).toMatchObject({ enabled: false, disabledReason: 'maintenance one' });
        await driver.enableHost(rig.elsewhere);
        await driver.enableHost(rig.elsewhere);
        expect(await seen(rig.elsewhere)).toMatchObject({ enabled: true });
        expect(await seen(rig.elsewhere)).not.toHaveProperty('disabledReason');
      });

      it('is refused for a host that is not there', async () => {
        expect((await refusalOf(driver.disableHost('no-such-host', 'why'))).message).toContain('no-such-host');
        expect((await refusalOf(driver.enableHost('no-such-host'))).message).toContain('no-such-host');
      });

      it('may be refused by the cloud, which changes nothing', async () => {
        await rig.refuseNextDisable(rig.elsewhere);
        expect((await refusalOf(driver.disableHost(rig.elsewhere, 'why'))).message).toContain(rig.elsewhere);
        expect(await seen(rig.elsewhere)).toMatchObject({ enabled: true });
        await driver.disableHost(rig.elsewhere, 'why');
        expect(await seen(rig.elsewhere)).toMatchObject({ enabled: false });
      });
    });

    describe('moving', () => {
      it.each(actions.filter((action) => action !== 'OWN_ACTION'))('by %s takes the instance away', async (action) => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId, { action });
        expect(await driver.startMove(move)).toEqual(stillRuns);
        expect(await untilOver(driver, move)).toEqual(moved(rig.target));
        expect(await hostOf(instanceId)).toBe(isOn(rig.target));
        expect(await rig.countMoves(instanceId)).toBe(1);
      });

      it('by OWN_ACTION is over when the project has acted', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId, { action: 'OWN_ACTION' });
        expect(await driver.startMove(move)).toEqual(stillRuns);
        await rig.actAsProject(instanceId, rig.target);
        expect(['done', 'gone']).toContain((await untilOver(driver, move)).kind);
        expect(await hostOf(instanceId)).not.toBe(rig.source);
      });

      it('by OWN_ACTION begins though its target is full, since the replacement may be there already', async () => {
        const move = await aStalledMove({ action: 'OWN_ACTION', target: rig.fullHost });
        expect(await driver.observeMove(move)).toEqual(stillRuns);
        await rig.deleteInstance(move.instanceId);
        expect((await untilOver(driver, move)).kind).toBe('gone');
      });

      it('twice with one claim is one move, also after it is over', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId);
        await driver.startMove(move);
        await driver.startMove(move);
        await untilOver(driver, move);
        expect(await driver.startMove(move)).toEqual(moved(rig.target));
        expect(await rig.countMoves(instanceId)).toBe(1);
      });

      it('with one claim by several processes at once is one move', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId);
        const starts = await Promise.all([1, 2, 3, 4].map(() => rig.openDriver().startMove(move)));
        expect(starts.map((status) => status.kind)).not.toContain('failed');
        expect(await untilOver(driver, move)).toEqual(moved(rig.target));
        expect(await rig.countMoves(instanceId)).toBe(1);
      });

      it('goes on when its caller was killed before it recorded the start: the next one attaches', async () => {
        const move = await aStalledMove();
        const restarted = rig.openDriver();
        expect(await restarted.observeMove(move)).toEqual(stillRuns);
        expect(await restarted.startMove(move)).toEqual(stillRuns);
        expect(await rig.countMoves(move.instanceId)).toBe(1);
      });

      it('that fails while it runs leaves the instance where it was and says why', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId);
        await rig.failNextMove(instanceId);
        expect(await driver.startMove(move)).toEqual(stillRuns);
        expect(reasonOf(await untilOver(driver, move))).toMatch(/\w+/);
        expect(await hostOf(instanceId)).toBe(rig.source);
        expect((await driver.startMove(move)).kind).toBe('failed');
      });

      it('of an instance that vanishes meanwhile is gone', async () => {
        const move = await aStalledMove();
        await rig.deleteInstance(move.instanceId);
        expect(await untilOver(driver, move)).toEqual({ kind: 'gone' });
        expect(await driver.forceMove(move)).toEqual({ kind: 'gone' });
        expect(await driver.abortMove(move)).toEqual({ kind: 'gone' });
        expect(await hostOf(move.instanceId)).toBeUndefined();
      });

      whereInstancesMove(() => {
        it('an instance again, after a claim that is over, is a move of its own', async () => {
          const { instanceId } = await rig.addInstance();
          const there = aMove(instanceId);
          await driver.startMove(there);
          await untilOver(driver, there);
          const back = aMove(instanceId, { source: rig.target, target: rig.source });
          await driver.startMove(back);
          expect(await untilOver(driver, back)).toEqual({ kind: 'done', host: rig.source });
          expect(await driver.observeMove(there)).toEqual(moved(rig.target));
          expect(await rig.countMoves(instanceId)).toBe(2);
        });
      });
    });

    describe('forcing', () => {
      it('ends a live migration that was accepted and never moves', async () => {
        const move = await aStalledMove();
        expect(await driver.observeMove(move)).toEqual(stillRuns);
        expect(await driver.forceMove(move)).toEqual(stillRuns);
        expect(await untilOver(driver, move)).toEqual(moved(rig.target));
        expect(await hostOf(move.instanceId)).toBe(isOn(rig.target));
        expect(await rig.countMoves(move.instanceId)).toBe(2);
      });

      it('ends an own action that its project never begins', async () => {
        const move = await aStalledMove({ action: 'OWN_ACTION' });
        await driver.forceMove(move);
        expect((await untilOver(driver, move)).kind).toBe(moved(rig.target).kind);
        expect(await hostOf(move.instanceId)).toBe(isOn(rig.target));
      });

      it('moves after a live migration that failed', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId);
        await rig.failNextMove(instanceId);
        await driver.startMove(move);
        await untilOver(driver, move);
        await driver.forceMove(move);
        expect(await untilOver(driver, move)).toEqual(moved(rig.target));
      });

      it('twice, or by several processes at once, is one cold move', async () => {
        const move = await aStalledMove();
        await Promise.all([1, 2, 3].map(() => rig.openDriver().forceMove(move)));
        await driver.forceMove(move);
        expect(await untilOver(driver, move)).toEqual(moved(rig.target));
        expect(await driver.forceMove(move)).toEqual(moved(rig.target));
        expect(await rig.countMoves(move.instanceId)).toBe(2);
      });

      it('after the live migration came through starts nothing', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId);
        await driver.startMove(move);
        await untilOver(driver, move);
        expect(await driver.forceMove(move)).toEqual(moved(rig.target));
        expect(await rig.countMoves(instanceId)).toBe(1);
      });

      it('may fail like any move', async () => {
        const move = await aStalledMove();
        await rig.failNextMove(move.instanceId);
        await driver.forceMove(move);
        expect((await untilOver(driver, move)).kind).toBe('failed');
        expect(await hostOf(move.instanceId)).toBe(rig.source);
      });
    });

    describe('aborting', () => {
      it('stops what runs and leaves the instance where it was', async () => {
        const move = await aStalledMove();
        expect((await driver.abortMove(move)).kind).toBe('failed');
        expect((await driver.observeMove(move)).kind).toBe('failed');
        expect(await hostOf(move.instanceId)).toBe(rig.source);
      });

      it('twice is the same, and lets another claim move the instance', async () => {
        const move = await aStalledMove();
        const first = await driver.abortMove(move);
        expect(await driver.abortMove(move)).toEqual(first);
        const next = aMove(move.instanceId);
        await driver.startMove(next);
        expect(await untilOver(driver, next)).toEqual(moved(rig.target));
      });

      it('what is done leaves it done', async () => {
        const { instanceId } = await rig.addInstance();
        const move = aMove(instanceId);
        await driver.startMove(move);
        await untilOver(driver, move);
        expect(await driver.abortMove(move)).toEqual(moved(rig.target));
      });
    });

    describe('a move is refused at once, and is none,', () => {
      const refused = async (move: MoveRequest): Promise<string> => {
        const { message } = await refusalOf(driver.startMove(move));
        expect(await driver.observeMove(move)).toEqual({ kind: 'unknown' });
        return message;
      };

      it('for an instance that is not there', async () => {
        const instanceId = randomUUID();
        expect(await refused(aMove(instanceId))).toContain(instanceId);
      });

      whereInstancesMove(() => {
        it.each([
          { situation: 'to a host that is not there', target: () => 'no-such-host' },
          { situation: 'to the host that it is on', target: () => rig.source },
          { situation: 'to a host without capacity', target: () => rig.fullHost },
        ])('$situation', async ({ target }) => {
          const { instanceId } = await rig.addInstance();
          const message = await refused(aMove(instanceId, { target: target() }));
          expect(message).toContain(instanceId);
          expect(message).toContain(target());
          expect(await rig.countMoves(instanceId)).toBe(0);
        });

        it('to a disabled host', async () => {
          const { instanceId } = await rig.addInstance();
          await driver.disableHost(rig.elsewhere, 'maintenance');
          try {
            expect(await refused(aMove(instanceId, { target: rig.elsewhere }))).toContain(rig.elsewhere);
          } finally {
            await driver.enableHost(rig.elsewhere);
          }
        });

        it.each(['LIVE_MIGRATE', 'MIGRATE'] as const)(
          'or later, by %s to a host that its group keeps it from, in favour of another target',
          async (action) => {
            const { instanceId } = await rig.addInstanceApart();
            const move = aMove(instanceId, { action });
            const outcome = await driver.startMove(move).then(
              () => untilOver(driver, move),
              (error: unknown) => {
                if (error instanceof TargetRefusal) return { kind: 'refused', reason: error.message };
                throw error;
              },
            );
            expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringContaining(rig.target) as string });
            const elsewhere = aMove(instanceId, { action, target: rig.elsewhere });
            await driver.startMove(elsewhere);
            expect(await untilOver(driver, elsewhere)).toEqual({ kind: 'done', host: rig.elsewhere });
          },
        );
      });

      it('while another claim moves the instance, whose move goes on', async () => {
        const running = await aStalledMove();
        const other = aMove(running.instanceId, { target: rig.elsewhere });
        expect(await refused(other)).toContain(running.instanceId);
        await refusalOf(driver.forceMove(other));
        expect(await driver.observeMove(running)).toEqual(stillRuns);
        expect(await rig.countMoves(running.instanceId)).toBe(1);
      });

      it('so that of two claims at once one moves', async () => {
        const { instanceId } = await rig.addInstance();
        await rig.stall(instanceId);
        const moves = [aMove(instanceId), aMove(instanceId, { target: rig.elsewhere })];
        const starts = await Promise.allSettled(moves.map((move) => rig.openDriver().startMove(move)));
        expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(await rig.countMoves(instanceId)).toBe(1);
      });
    });
  });
};
