/** How long things took is recorded once, kept within bounds, and read as what is expected. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../../prisma/database';
import { findSessionHost } from '../../../../prisma/hosts/session-hosts';
import { recordActionEnd } from '../../../../prisma/moves/claim-end';
import { findClaim } from '../../../../prisma/moves/claims';
import { closeAsSilence } from '../../../../prisma/questions/close-questions';
import type { SessionAction } from '../../../../prisma/session/session-progress';
import { findExpectedTimes } from '../../../../prisma/times/find-expected-times';
import { findSeenMaintenances, recordMaintenanceTime } from '../../../../prisma/times/maintenance-times';
import {
  findRefusers,
  findSeenAnswers,
  findSeenMoves,
  forgetOldTimes,
  recordAnswerTimes,
} from '../../../../prisma/times/project-times';
import { keyOf } from '../../../../rules/cloud/id';
import type { Action } from '../../../../rules/decisions/fleet/fleet';
import type { ClaimOutcome } from '../../../../rules/steps/claim-step';
import { withExpectedMaintenances } from '../../../../snapshot/expected-maintenances';
import { recordSession } from '../../events/recorded-facts';
import { createTestDatabase } from '../../setup/test-database';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  const { db } = database;
  await db.maintenanceTime.deleteMany();
  await db.moveTime.deleteMany();
  await db.answerTime.deleteMany();
});

const action = (plugin: string, metadata: object = {}, type: SessionAction['type'] = 'host'): SessionAction => ({
  ...{ plugin, type },
  metadata: { ...metadata },
});
const at = (second: number): Date => new Date(Date.UTC(2026, 10, 24, 0, 0, second));

interface Ended {
  readonly hostname?: string;
  readonly actions?: readonly SessionAction[];
  readonly seconds?: number;
  /** The time of its begin, in seconds. */
  readonly from?: number;
  /** The time when the host entered its phase, in seconds; the maintenance is announced afterwards. */
  readonly phaseFrom?: number;
  readonly attempts?: number;
}

/** Records it twice, as an activity that runs again would. */
const end = async (given: Ended = {}): Promise<string> => {
  const { hostname = 'a', actions = [action('reboot')], seconds = 60, from = 0, phaseFrom = 0, attempts = 1 } = given;
  const { db } = database;
  const sessionId = await recordSession(db);
  await db.session.update({ where: { id: sessionId }, data: { actions: JSON.parse(JSON.stringify(actions)) as [] } });
  const row = { type: 'compute', isCompute: true, phase: 'maintaining', owned: false, phaseSince: at(phaseFrom) };
  await db.sessionHost.create({ data: { ...row, sessionId, hostname, announcedAt: at(from) } });
  const plugin = { plugin: 'reboot', type: 'host', position: 0, attempts, createdAt: at(from + 1) };
  await db.actionPluginInstance.create({ data: { ...plugin, sessionId, hostname } });
  const host = (await findSessionHost(db, { sessionId, hostname }))!;
  const record = () => recordMaintenanceTime(db, { host, actions, endedAt: at(from + seconds) });
  await record();
  await record();
  return sessionId;
};

describe('the times of maintenances', () => {
  const secondsOf = async (actions: readonly SessionAction[], hostname = 'a') =>
    (await findSeenMaintenances(database.db, { actions })).find((one) => one.hostname === hostname)?.seconds;

  it('are those of the last session with the same actions', async () => {
    await end({ seconds: 60, from: 0 });
    await end({ seconds: 90, from: 1000 });
    await end({ seconds: 600, from: 2000, actions: [action('firmware')] });
    expect(await secondsOf([action('reboot')])).toBe(90);
    expect(await secondsOf([action('firmware')])).toBe(600);
    expect(await secondsOf([])).toBeUndefined();
  });

  it('are those with the same metadata, however written, else with other metadata', async () => {
    await end({ seconds: 60, from: 0, actions: [action('reboot', { to: '5.10', kind: { x: 1, y: 2 } })] });
    await end({ seconds: 90, from: 1000, actions: [action('reboot', { to: '5.11' })] });
    expect(await secondsOf([action('reboot', { kind: { y: 2, x: 1 }, to: '5.10' })])).toBe(60);
    expect(await secondsOf([action('reboot', { to: '5.12' })])).toBe(90);
  });

  it('do not depend on plug-ins that run on no host of the kind, or on none', async () => {
    await end({
      seconds: 60,
      actions: [action('reboot'), action('tell', {}, 'post'), action('raft', {}, 'controller')],
    });
    expect(await secondsOf([action('reboot'), action('check', {}, 'pre')])).toBe(60);
  });

  it.each([
    { situation: 'ran a plug-in again', given: { attempts: 2 } },
    { situation: 'was announced before the host failed and was drained anew', given: { from: 0, phaseFrom: 500 } },
  ])('leave a maintenance out that $situation', async ({ given }) => {
    await end(given);
    expect(await secondsOf([action('reboot')])).toBeUndefined();
  });

  it('are few for each host', async () => {
    for (let number = 0; number < 10; number += 1) await end({ from: number * 100, seconds: number });
    expect(await database.db.maintenanceTime.count()).toBe(8);
    expect(await secondsOf([action('reboot')])).toBe(9);
  });

  it('are expected of the hosts of a session, of a new host what the others of this session took', async () => {
    await end({ hostname: 'b', seconds: 60 });
    const sessionId = await end({ hostname: 'c', seconds: 300, from: 1000 });
    const work = { sessionId, phase: 'waiting' as const, disabled: false, disabledBefore: false, announced: false };
    const facts = { type: 'compute' as const, isCompute: true, amounts: { VCPU: 1, MEMORY_MB: 1 }, enabled: true };
    const hosts = ['a', 'b'].map((name) => ({ ...facts, name, work: { ...work, releases: 0 } }));
    const told = { ...hosts[0]!, name: 'd', expectedMaintenanceSeconds: 7 };
    const expected = await withExpectedMaintenances(database.db, [...hosts, told, { ...facts, name: 'e' }]);
    expect(expected.map((host) => host.expectedMaintenanceSeconds)).toEqual([300, 60, 7, undefined]);
  });

  it('are expected as the request says, where it says it of all plug-ins on the host', async () => {
    const actions = [action('dummy', { seconds: 30 }), action('dummy', { seconds: 4 }, 'compute')];
    const sessionId = await end({ hostname: 'c', seconds: 300, actions });
    const work = { sessionId, phase: 'waiting' as const, disabled: false, disabledBefore: false, announced: false };
    const facts = {
      isCompute: true,
      amounts: { VCPU: 1, MEMORY_MB: 1 },
      enabled: true,
      work: { ...work, releases: 0 },
    };
    const both = { ...facts, name: 'both', type: 'controller' as const, expectedMaintenanceSeconds: 7 };
    const controller = { ...both, name: 'controller', isCompute: false };
    const expected = await withExpectedMaintenances(database.db, [both, controller]);
    expect(expected.map((host) => host.expectedMaintenanceSeconds)).toEqual([34, 30]);
    const { maintenanceSeconds } = await findExpectedTimes(database.db, { sessionId, actions }, usual);
    expect([both, controller].map(maintenanceSeconds)).toEqual([34, 30]);
  });
});

describe('the times of moves', () => {
  const projectId = randomUUID();
  const endMove = async (outcome: ClaimOutcome, startedSecondsAgo: number | undefined, by: Action = 'MIGRATE') => {
    const { db } = database;
    const startedAt = startedSecondsAgo === undefined ? null : new Date(Date.now() - startedSecondsAgo * 1000);
    const names = { sessionId: randomUUID(), instanceId: randomUUID(), instanceName: 'vm', projectId };
    const move = {
      groupKey: 'group',
      source: 'a',
      target: 'b',
      action: by,
      amounts: { VCPU: 1, MEMORY_MB: 1 },
      recoveryTime: 0,
    };
    const { id } = await db.claim.create({ data: { ...names, ...move, phase: 'moving', startedAt } });
    const claim = (await findClaim(db, id))!;
    await inTransaction(db, (tx) => recordActionEnd(tx, claim, { outcome }));
    expect(await inTransaction(db, (tx) => recordActionEnd(tx, claim, { outcome }))).toBeUndefined();
  };

  it('are the mean of what was done, by project and action', async () => {
    await endMove('done', 1_000);
    await endMove('done', 3_000);
    await endMove('done', 50_000, 'OWN_ACTION');
    await endMove('failed', 500_000);
    await endMove('done', undefined);
    const seen = (await findSeenMoves(database.db)).toSorted((one, other) => one.seconds - other.seconds);
    expect(seen.map((one) => [one.projectId, one.action, Math.round(one.seconds / 1_000)])).toEqual([
      [projectId, 'MIGRATE', 2],
      [projectId, 'OWN_ACTION', 50],
    ]);
  });

  it('are the latest hundred of a project and action', async () => {
    const rows = Array.from({ length: 130 }, (_, number) => ({
      ...{ claimId: randomUUID(), projectId, action: 'MIGRATE', seconds: number, endedAt: at(number) },
    }));
    await database.db.moveTime.createMany({ data: rows });
    await inTransaction(database.db, forgetOldTimes);
    expect(await database.db.moveTime.aggregate({ _min: { seconds: true }, _count: true })).toMatchObject({
      ...{ _min: { seconds: 30 }, _count: 100 },
    });
  });
});

describe('projects that have refused before', () => {
  it('are told once each, also by the refusal of a session that is over, and not for an ACK or silence', async () => {
    const { db } = database;
    const [refuses, agrees, isSilent] = [randomUUID(), randomUUID(), randomUUID()];
    const ask = async (projectId: string, answer: 'ACK' | 'NACK' | null): Promise<string> => {
      const sessionId = await recordSession(db);
      const wide = { instanceIds: [], allowedActions: [], windowSeconds: 60, messageId: randomUUID() };
      await db.question.create({ data: { ...wide, sessionId, projectId, state: 'MAINTENANCE', answer } });
      return sessionId;
    };
    await ask(agrees, 'ACK');
    await ask(isSilent, null);
    const [over, removed] = [await ask(refuses, 'NACK'), await ask(refuses.replaceAll('-', ''), 'NACK')];
    await db.session.update({ where: { id: over }, data: { state: 'MAINTENANCE_FAILED' } });
    // The two forms of the ID are one project.
    expect((await findRefusers(db)).map(keyOf)).toEqual([keyOf(refuses)]);
    await db.session.deleteMany({ where: { id: { in: [over, removed] } } });
    expect(await findRefusers(db)).toEqual([]);
  });
});

describe('the times of answers', () => {
  const projectId = randomUUID();

  it('are the mean of the answers, with the share of questions that nobody answered', async () => {
    const { db } = database;
    const sessionId = await recordSession(db);
    const asked = { projectId, state: 'PLANNED_MAINTENANCE', askedAt: at(0) };
    const wide = { instanceIds: [], allowedActions: [], windowSeconds: 60, messageId: randomUUID() };
    const silent = await db.question.create({ data: { ...asked, ...wide, sessionId, instanceId: randomUUID() } });
    for (let time = 0; time < 2; time += 1) {
      await recordAnswerTimes(db, [{ ...asked, id: uuidOfAnswer, answeredAt: at(5) }], at(5));
      await closeAsSilence(db, [silent.id]);
    }
    await recordAnswerTimes(db, [{ ...asked, id: randomUUID(), answeredAt: at(9), askedAt: null }], at(9));
    await recordAnswerTimes(db, [{ ...asked, id: randomUUID(), answeredAt: at(4) }], at(4));
    await recordAnswerTimes(db, [{ ...asked, id: randomUUID(), state: 'MAINTENANCE', answeredAt: at(99) }], at(99));
    expect(await findSeenAnswers(db)).toEqual([{ projectId, seconds: 3, silentShare: 0.25 }]);
    const { answerSeconds } = await findExpectedTimes(db, { actions: [] }, usual);
    expect(answerSeconds({ projectId, windowSeconds: 60 })).toBe(0.25 * 60 + 0.75 * 3);
  });
});

const uuidOfAnswer = randomUUID();
const usual = { maintenanceSeconds: 900, moveSeconds: 30, answerSeconds: 10 };
