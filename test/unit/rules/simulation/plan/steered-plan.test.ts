/** Shows that a plan follows the controls of its session: canary, windows, set-aside and skipped hosts, silence. */
import type { Fleet, Host } from '../../../../../rules/decisions/fleet/fleet';
import { nothingSeen } from '../../../../../rules/expectations/expected-times';
import type { Blocker } from '../../../../../rules/obstacles/blockers';
import { makePlan } from '../../../../../rules/simulation/plan/make-plan';
import type { Plan, PlanInput, PlannedSteering, SessionInPlan } from '../../../../../rules/simulation/plan/plan';
import { aGroup, aHost, aHostIn, aSessionId } from '../../../../builders/a-fleet';
import { aConstrained, aPlanInput, aSessionInPlan } from '../../../../builders/a-plan-input';

const spare = aHost({ name: 'spare' });
const three = ['old-1', 'old-2', 'old-3'].map((name) => aHostIn('waiting', name));

const planOf = (steering: PlannedSteering, { fleet = {}, session = {}, input = {} }: Given = {}): Plan =>
  makePlan(
    aPlanInput(
      { hosts: [...three, spare], ...fleet },
      { sessions: [aSessionInPlan({ steering, ...session })], ...input },
    ),
  );

interface Given {
  readonly fleet?: Partial<Fleet>;
  readonly session?: Partial<SessionInPlan>;
  readonly input?: Partial<PlanInput>;
}

const maintenances = ({ hosts }: Plan) =>
  hosts.map(({ hostname, maintenance }) => [hostname, maintenance?.fromMs, maintenance?.toMs]);
const kinds = ({ blockers }: Plan) => blockers.map(({ kind, severity }) => `${kind} ${severity}`);
const theOnly = ({ blockers }: Plan): Partial<Blocker> => {
  expect(blockers).toHaveLength(1);
  return blockers[0]!;
};

/** The size of a host that could take none of the instances that wait. */
const small = { VCPU: 2, MEMORY_MB: 32_768 };

describe('the plan of a session with a canary', () => {
  it('maintains the canary alone, waits, and goes on', () => {
    const canary = { hosts: ['old-2'], then: 'continue', waitSeconds: 60 } as const;
    const plan = planOf({ canary: { canary } });
    expect(maintenances(plan)).toEqual([
      ['old-2', 0, 100_000],
      ['old-1', 160_000, 260_000],
      ['old-3', 160_000, 260_000],
    ]);
    expect(plan.endsAtMs?.expected).toBe(260_000);
  });

  it('tells that it waits for the resume, and plans as if that came at once', () => {
    const plan = planOf({ canary: { canary: { hosts: 1, then: 'resume', waitSeconds: 0 } } });
    expect(maintenances(plan).map(([, fromMs]) => fromMs)).toEqual([0, 100_000, 100_000]);
    expect(theOnly(plan)).toMatchObject({
      ...{ kind: 'session_pauses', severity: 'delays', owner: 'admin' },
      because: expect.stringContaining('the canary is done (old-1)') as string,
    });
  });

  it('goes on from the time at which the canary was done', () => {
    const canary = { canary: { hosts: 1, then: 'continue', waitSeconds: 60 } as const, endedAtMs: -40_000 };
    const hosts = [aHostIn('maintained', 'old-1'), ...three.slice(1), spare];
    const session = { state: 'PLANNED_MAINTENANCE', isBegun: true } as const;
    const plan = planOf({ canary }, { fleet: { hosts }, session });
    expect(maintenances(plan).slice(0, 2)).toEqual([
      ['old-2', 20_000, 120_000],
      ['old-3', 20_000, 120_000],
    ]);
  });
});

const midnight = Date.parse('2026-01-05T00:00:00Z');
const minute = 60_000;
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const inWindows = (
  from: string,
  to: string,
  { steering = {}, ...given }: Given & { steering?: PlannedSteering } = {},
) =>
  planOf(
    { calendar: { windows: [{ days: everyDay, from, to, timeZone: 'UTC' }] }, ...steering },
    {
      ...given,
      input: { nowMs: midnight, ...given.input },
      session: { stateEnteredAtMs: midnight, maintenanceAtMs: midnight, ...given.session },
    },
  );

describe('the plan of a session in whose way a freeze is', () => {
  const day = 24 * 60 * minute;
  const session = {
    actions: [{ type: 'host' }],
    limits: { ...aSessionInPlan().limits, maxParallelHosts: 1 },
  } as const;
  const hosts = [...three.map((host): Host => ({ ...host, expectedMaintenanceSeconds: 1_200 })), spare];
  const frozen = (fromMinutes: number, untilMinutes: number, closesAt?: string) => {
    const range = { fromMs: midnight + fromMinutes * minute, untilMs: midnight + untilMinutes * minute };
    const freezes = [{ name: 'audit', reason: 'the auditors are here', range }];
    const windows = closesAt === undefined ? null : [{ days: everyDay, from: '00:00', to: closesAt, timeZone: 'UTC' }];
    return inWindows('00:00', '00:00', { steering: { calendar: { windows, freezes } }, session, fleet: { hosts } });
  };
  const begun = (plan: ReturnType<typeof frozen>) =>
    maintenances(plan).map(([, fromMs]) => (fromMs === undefined ? 'never' : (Number(fromMs) - midnight) / minute));

  it('waits for its end, and says so', () => {
    const plan = frozen(-60, 60);
    expect(begun(plan)).toEqual([60, 80, 100]);
    expect(plan.blockers).toMatchObject([
      {
        ...{ kind: 'session_frozen', severity: 'delays', when: 'now', owner: 'admin' },
        because: `freeze audit (the auditors are here) keeps it from beginning anything until 2026-01-05T01:00:00.000Z`,
      },
    ]);
  });

  it('begins no host that would not be back before, and goes on after it', () => {
    const plan = frozen(30, 600);
    expect(begun(plan)).toEqual([0, 600, 620]);
    expect(plan.endsAtMs?.expected).toBe(midnight + 640 * minute);
    expect(kinds(plan)).toEqual(['session_frozen delays']);
  });

  it('waits for its next window where a freeze covers one', () => {
    const plan = frozen(-60, 300, '00:50');
    expect(begun(plan).map((at) => Number(at) / (day / minute))).toEqual([1, 1 + 20 / 1440, 2]);
  });

  it('says nothing of a freeze between its windows, or after its end', () => {
    expect(kinds(frozen(12 * 60, 13 * 60, '00:50'))).toEqual([]);
    expect(kinds(frozen(12 * 60, 13 * 60))).toEqual([]);
  });

  it('tells that its windows open in the freeze alone', () => {
    const freezes = [
      { name: 'nights', reason: 'r', times: [{ days: everyDay, from: '23:00', to: '01:00', timeZone: 'UTC' }] },
    ];
    const windows = [{ days: everyDay, from: '00:00', to: '00:50', timeZone: 'UTC' }];
    const plan = inWindows('00:00', '00:00', {
      steering: { calendar: { windows, freezes } },
      session,
      fleet: { hosts },
    });
    expect(kinds(plan)).toContain('windows_over stops');
  });
});

describe('the plan of a session with windows', () => {
  const instances = [aConstrained({ id: 'a', host: 'old-1' })];

  it('begins nothing before the window opens: it asks no project, and works on no host', () => {
    const plan = inWindows('02:00', '06:00', { fleet: { instances } });
    expect(Math.min(...plan.questions.map(({ askedAtMs }) => askedAtMs))).toBe(midnight + 120 * minute);
    expect(plan.beginsAtMs).toBe(midnight + 120 * minute + 10_000);
    expect(plan.endsAtMs!.expected).toBeLessThan(midnight + 126 * minute);
    expect(plan.blockers).toEqual([]);
  });

  it('counts the time by the clock of the zone', () => {
    const windows = [{ days: everyDay, from: '02:00', to: '06:00', timeZone: 'Europe/Helsinki' }];
    expect(inWindows('00:00', '00:00', { steering: { calendar: { windows } } }).beginsAtMs).toBe(midnight);
    expect(
      inWindows('00:00', '00:00', { steering: { calendar: { windows } }, input: { nowMs: midnight - 1 } }).beginsAtMs,
    ).toBe(midnight);
  });

  it('leaves the hosts that would not be back in time to the next window', () => {
    // Serial: each takes 20 minutes, and the window is open for 50.
    const session = {
      actions: [{ type: 'host' }],
      limits: { ...aSessionInPlan().limits, maxParallelHosts: 1 },
    } as const;
    const hosts = three.map((host): Host => ({ ...host, expectedMaintenanceSeconds: 1_200 }));
    const plan = inWindows('00:00', '00:50', { session, fleet: { hosts: [...hosts, spare] } });
    const day = 24 * 60 * minute;
    expect(maintenances(plan).map(([, fromMs]) => Number(fromMs) - midnight)).toEqual([0, 20 * minute, day]);
    expect(plan.endsAtMs!.expected).toBe(midnight + day + 20 * minute);
  });

  it.each([
    { what: 'goes on at the next of its dates', dates: ['2026-01-05', '2026-03-14'], left: [], lastDay: 68 },
    {
      what: 'says that hosts are left when the last of its dates is over',
      dates: ['2026-01-05'],
      left: ['windows_over stops'],
    },
  ])('$what', ({ dates, left, lastDay }) => {
    const session = {
      actions: [{ type: 'host' }],
      limits: { ...aSessionInPlan().limits, maxParallelHosts: 1 },
    } as const;
    const hosts = three.map((host): Host => ({ ...host, expectedMaintenanceSeconds: 1_200 }));
    const windows = [{ dates, from: '00:00', to: '00:50', timeZone: 'UTC' }];
    const plan = inWindows('00:00', '00:00', {
      steering: { calendar: { windows } },
      session,
      fleet: { hosts: [...hosts, spare] },
    });
    const day = 24 * 60 * minute;
    const begun = maintenances(plan).map(([, fromMs]) => (fromMs === undefined ? 'never' : Number(fromMs) - midnight));
    expect(begun).toEqual([0, 20 * minute, lastDay === undefined ? 'never' : lastDay * day]);
    expect(kinds(plan)).toEqual(left);
  });

  it('gives a host back that is still being drained when its maintenance does not fit any more', () => {
    // Two hosts with an instance each, of a group that lets one be out: the second move begins after 10 minutes.
    const hosts = [...three.slice(0, 2).map((host) => ({ ...host, expectedMaintenanceSeconds: 1_200 })), spare];
    const groups = [aGroup({ maxImpactedMembers: 1, recoveryTimeSeconds: 0 })];
    const one = (host: string) => aConstrained({ id: host, host, leadTimeSeconds: 0 });
    const plan = inWindows('00:00', '00:35', {
      session: { actions: [{ type: 'host' }] },
      fleet: { hosts, groups, instances: [one('old-1'), one('old-2')] },
      input: { usual: { maintenanceSeconds: 1_200, moveSeconds: 600, answerSeconds: 10 } },
    });
    expect(plan.moves.map(({ span }) => span.fromMs - midnight)).toEqual([10_000, 610_000]);
    expect(maintenances(plan).map(([, fromMs]) => Number(fromMs) - midnight)).toEqual([610_000, 24 * 60 * minute]);
  });

  it('asks projects to scale back in the next window, when it is done after the close', () => {
    const begun = aHostIn('maintaining', 'old-1', { work: { announcedAtMs: midnight } });
    const done = aHostIn('maintained', 'old-2');
    const onDone = [aConstrained({ id: 'a', host: 'old-2' })];
    const session = { actions: [{ type: 'host', seconds: 200 }], state: 'PLANNED_MAINTENANCE', isBegun: true } as const;
    const plan = inWindows('00:00', '00:03', { fleet: { hosts: [begun, done, spare], instances: onDone }, session });
    const nextDay = midnight + 24 * 60 * minute;
    expect(plan.hosts[0]!.maintenance!.toMs).toBe(midnight + 200_000);
    expect(plan.questions.at(-1)).toMatchObject({ state: 'MAINTENANCE_COMPLETE', askedAtMs: nextDay });
  });

  it('leaves a host out of a window that is shorter than what the request says of its plug-ins', () => {
    const session = { actions: [{ type: 'compute', seconds: 200 }] } as const;
    const both = aHostIn('waiting', 'both', { type: 'controller', expectedMaintenanceSeconds: 60 });
    const plan = inWindows('00:00', '00:03', { fleet: { hosts: [both, spare], instances: [] }, session });
    expect(plan.hosts[0]!.maintenance).toBeUndefined();
    expect(kinds(plan)).toContain('window_too_short stops');
  });

  it('says that it is made without windows whose time zone is not known here', () => {
    const plan = planOf({ windowsProblem: 'Node.js does not know the time zone Mars/Olympus' }, {});
    expect(kinds(plan)).toEqual(['window_not_known stops']);
    expect(plan.blockers[0]!.because).toContain('Mars/Olympus');
  });

  it('says which hosts fit into no window', () => {
    const hosts = three.map((host): Host => ({ ...host, expectedMaintenanceSeconds: 7_200 }));
    const plan = inWindows('01:00', '02:00', {
      session: { actions: [{ type: 'host' }] },
      fleet: { hosts: [...hosts, spare] },
    });
    expect(plan.endsAtMs).toBeUndefined();
    expect(kinds(plan)).toEqual(['window_too_short stops', 'window_too_short stops', 'window_too_short stops']);
    expect(plan.blockers[0]!.because).toContain('host old-1 fits into no maintenance window');
  });

  describe('with hosts that took longer than every window before', () => {
    const slowNight = (hostname: string, daysAgo: number) => ({
      ...{ hostname, type: 'compute' as const, seconds: 10 * 3_600, isOfThisSession: false },
      endedAtMs: midnight - daysAgo * 24 * 60 * minute,
    });
    const planWith = (maintenances: readonly ReturnType<typeof slowNight>[], session: Partial<SessionInPlan> = {}) =>
      inWindows('01:00', '05:00', {
        session: { actions: [{ type: 'host' }], ...session },
        input: { seen: { ...nothingSeen, maintenances } },
      });
    const day = (number: number): number => midnight + (number * 24 + 1) * 60 * minute;

    it('tries one of them a week after it began, another one in the window after that, and ends', () => {
      const plan = planWith([slowNight('old-1', 90), slowNight('old-2', 90)]);
      // Nothing but these two tells how long the third one takes.
      expect(maintenances(plan).map(([hostname, fromMs]) => [hostname, fromMs])).toEqual([
        ['old-1', day(7)],
        ['old-2', day(8)],
        ['old-3', day(9)],
      ]);
      expect(plan.endsAtMs).toBeDefined();
      expect(kinds(plan)).toEqual(Array(3).fill('window_too_short delays'));
    });

    it('warns of the host, its learned time, when it is tried, and what would help', () => {
      const [blocker] = planWith([slowNight('old-1', 90)]).blockers;
      expect(blocker).toMatchObject({ subject: { kind: 'host', name: 'old-1' }, owner: 'admin', when: 'now' });
      expect(blocker!.because).toContain('host old-1 fits into no maintenance window');
      expect(blocker!.because).toContain('its maintenance took 600 minutes before');
      expect(blocker!.because).toContain(
        'tried again with the usual 15 in the first window from 2026-01-12T01:00:00.000Z on',
      );
      expect(blocker!.help).toContain('make a window longer');
    });

    it('counts the week from the time at which the session has begun', () => {
      const begun = { state: 'PLANNED_MAINTENANCE', isBegun: true } as const;
      const plan = planWith([slowNight('old-1', 90)], { ...begun, begunAtMs: midnight - 6 * 24 * 60 * minute });
      expect(maintenances(plan)[0]!.slice(0, 2)).toEqual(['old-1', day(1)]);
    });
  });

  it('asks for capacity for one host while another one fits into no window, and tells of both', () => {
    const big = aConstrained({ id: 'big', host: 'old-1', vcpus: 12 });
    const full = aConstrained({ id: 'full', host: 'spare', vcpus: 8 });
    const quick = { ...three[0]!, expectedMaintenanceSeconds: 60 };
    const long = { ...three[1]!, amounts: small, expectedMaintenanceSeconds: 7_200 };
    const plan = inWindows('01:00', '02:00', {
      session: { actions: [{ type: 'host' }] },
      fleet: { hosts: [quick, long, spare], instances: [big, full] },
    });
    const stopping = plan.blockers.filter(({ severity }) => severity === 'stops');
    expect(stopping.map(({ kind, subject }) => [kind, subject.name])).toEqual([
      ['no_capacity', 'cloud'],
      ['host_cannot_be_drained', 'old-1'],
      ['window_too_short', 'old-2'],
    ]);
  });
});

describe('the plan of a session that may go on without hosts', () => {
  const big = aConstrained({ id: 'big', host: 'old-1', vcpus: 12 });
  const full = aConstrained({ id: 'full', host: 'spare', vcpus: 8 });
  const hosts = [three[0]!, { ...three[1]!, amounts: small }, spare];
  const limits = { ...aSessionInPlan().limits, maxFailedHosts: 1 };
  const scaleIn = { rounds: 2, replySeconds: 60 };

  it('sets a host aside for which it asks in vain for capacity, and ends', () => {
    const plan = planOf({}, { fleet: { hosts, instances: [big, full] }, session: { limits }, input: { scaleIn } });
    expect(plan.hosts.map(({ hostname, endsAs }) => [hostname, endsAs])).toEqual([
      ['old-2', 'maintained'],
      ['old-1', 'set_aside'],
    ]);
    expect(kinds(plan)).toContain('host_set_aside delays');
    // Answers to MAINTENANCE and to MAINTENANCE_COMPLETE, the other host, and two rounds of one project.
    expect(plan.endsAtMs?.expected).toBe(10_000 + 100_000 + 120_000 + 10_000);
  });

  it('stops where more hosts fail than allowed', () => {
    const plan = planOf({}, { fleet: { hosts, instances: [big, full] }, input: { scaleIn } });
    expect(plan.endsAtMs).toBeUndefined();
    expect(plan.blockers.map(({ kind }) => kind)).toContain('no_capacity');
  });

  it('goes on past hosts that are set aside or skipped already', () => {
    const done = [aHostIn('set_aside', 'old-1', { enabled: false }), aHostIn('skipped', 'old-2'), three[2]!, spare];
    const plan = planOf(
      {},
      { fleet: { hosts: done }, session: { limits, state: 'PLANNED_MAINTENANCE', isBegun: true } },
    );
    expect(plan.hosts.map(({ hostname, endsAs }) => [hostname, endsAs])).toEqual([
      ['old-3', 'maintained'],
      ['old-1', 'set_aside'],
      ['old-2', 'skipped'],
    ]);
    expect(plan.endsAtMs?.expected).toBe(100_000);
  });

  it('skips a host that is being given back for it, and drains one again that is not', () => {
    const releasing = ['old-1', 'old-2'].map((name) => aHostIn('releasing', name, { enabled: false }));
    const skipped = { ...releasing[0]!, work: { ...releasing[0]!.work!, skipReason: 'skipped by the administrator' } };
    const plan = planOf(
      {},
      {
        fleet: { hosts: [skipped, releasing[1]!, spare] },
        session: { state: 'PLANNED_MAINTENANCE', isBegun: true },
      },
    );
    expect(plan.hosts.map(({ hostname, endsAs }) => [hostname, endsAs])).toEqual([
      ['old-2', 'maintained'],
      ['old-1', 'skipped'],
    ]);
    expect(theOnly(plan)).toMatchObject({ kind: 'host_skipped', subject: { id: 'old-1' } });
  });

  it('drains first the host that an admin has asked for', () => {
    const work = { ...three[2]!.work!, firstAtMs: 1 };
    const instances = three.map(({ name }) => aConstrained({ id: name, host: name, leadTimeSeconds: 0 }));
    const session = { limits: { ...aSessionInPlan().limits, maxParallelHosts: 1 } };
    const plan = planOf(
      {},
      { fleet: { hosts: [three[0]!, three[1]!, { ...three[2]!, work }, spare], instances }, session },
    );
    expect(plan.hosts[0]!.hostname).toBe('old-3');
  });
});

describe.each(['vnf', 'default'] as const)('the plan of a session of %s with a reply_policy', (worksLike) => {
  const silent = { ...nothingSeen, answers: [{ projectId: 'project-1', seconds: undefined, silentShare: 1 }] };
  const instances = [aConstrained({ id: 'a', host: 'old-1' })];
  const given = { fleet: { instances }, session: { worksLike }, input: { seen: silent } };

  it('skips the host of a project that does not answer', () => {
    const plan = planOf({ replyPolicy: { silence: 'skip_host', lastNack: 'fail' } }, given);
    expect(plan.moves).toEqual([]);
    expect(plan.hosts.find(({ hostname }) => hostname === 'old-1')).toMatchObject({ endsAs: 'skipped' });
    expect(plan.endsAtMs).toBeDefined();
    expect(kinds(plan)).toEqual(['host_skipped delays', 'project_silent delays']);
  });

  it('stops where the session pauses itself', () => {
    const plan = planOf({ replyPolicy: { silence: 'pause', lastNack: 'fail' } }, given);
    expect(plan.endsAtMs).toBeUndefined();
    expect(kinds(plan)).toContain('session_pauses stops');
  });

  it('moves the instance by default, where nothing else is said', () => {
    expect(planOf({}, given).moves).toHaveLength(1);
  });

  it('gives no range in which every host is skipped, where managers are only slow', () => {
    const plan = planOf({ replyPolicy: { silence: 'skip_host', lastNack: 'fail' } }, { ...given, input: {} });
    expect(plan.endsAtMs!.latest).toBeGreaterThan(plan.endsAtMs!.expected);
    expect(plan.blockers).toEqual([]);
  });

  it('names a project that has refused before as a risk, with what follows by default', () => {
    const refusedBefore = ['project-1', 'a project elsewhere'];
    const plan = planOf({ lastNack: 'fail' }, { ...given, input: { refusedBefore } });
    expect(theOnly(plan)).toMatchObject({
      ...{ kind: 'refused_before', severity: 'delays', owner: 'project', projectId: 'project-1' },
      because: expect.stringContaining('the session fails') as string,
    });
  });

  it('says that it foresees no refusal', () => {
    const plan = planOf({ replyPolicy: { silence: 'default', lastNack: 'pause' } }, { ...given, input: {} });
    expect(theOnly(plan)).toMatchObject({ kind: 'refusals_not_foreseen', subject: { id: aSessionId } });
  });
});
