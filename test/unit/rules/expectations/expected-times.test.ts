import { expectedTimes, nothingSeen, type SeenMaintenance } from '../../../../rules/expectations/expected-times';

const projectId = '11111111-2222-4333-8444-aaaaaaaaaaaa';
const sameProject = '1111111122224333 8444AAAAAAAAAAAA'.replace(' ', '');
const usual = { maintenanceSeconds: 900, moveSeconds: 30, answerSeconds: 10 };

const before = (hostname: string, seconds: number, type: SeenMaintenance['type'] = 'compute'): SeenMaintenance => ({
  ...{ hostname, type, seconds },
  isOfThisSession: false,
});
const now = (hostname: string, seconds: number, type: SeenMaintenance['type'] = 'compute'): SeenMaintenance => ({
  ...before(hostname, seconds, type),
  isOfThisSession: true,
});

describe('expected maintenance', () => {
  const host = { name: 'compute-1', type: 'compute' as const, isCompute: true };
  it.each([
    { situation: 'nothing was seen: the setting', maintenances: [], seconds: 900 },
    {
      situation: 'the host was maintained before: its own time, whatever others take now',
      maintenances: [before('compute-1', 400), now('compute-2', 700)],
      seconds: 400,
    },
    {
      situation: 'others of its type ended in this session: their median, not what they took before',
      maintenances: [now('compute-2', 500), now('compute-3', 700), now('compute-4', 9000), before('compute-2', 100)],
      seconds: 700,
    },
    {
      situation: 'two of its type ended in this session: the middle',
      maintenances: [now('compute-2', 500), now('compute-3', 700)],
      seconds: 600,
    },
    {
      situation: 'others of its type were maintained before, and none now: their median',
      maintenances: [before('compute-2', 500), before('compute-3', 600), before('compute-4', 650)],
      seconds: 600,
    },
    {
      situation: 'only hosts of another type were seen: the setting',
      maintenances: [now('controller-1', 100, 'controller'), before('controller-2', 100, 'controller')],
      seconds: 900,
    },
  ])('$situation', ({ maintenances, seconds }) => {
    expect(expectedTimes({ ...nothingSeen, maintenances }, usual).maintenanceSeconds(host)).toBe(seconds);
  });

  it('is what the cloud says, where it says it', () => {
    const { maintenanceSeconds } = expectedTimes({ ...nothingSeen, maintenances: [before('compute-1', 400)] }, usual);
    expect(maintenanceSeconds({ ...host, expectedMaintenanceSeconds: 333 })).toBe(333);
  });

  const ended = (one: SeenMaintenance, endedAtMs: number): SeenMaintenance => ({ ...one, endedAtMs });
  it.each([
    { situation: 'nothing was seen', maintenances: [], learned: undefined },
    {
      situation: 'the host was maintained before: since then',
      maintenances: [ended(before('compute-1', 400), 7), ended(now('compute-2', 700), 9)],
      learned: { seenAtMs: 7, usualSeconds: 900 },
    },
    {
      situation: 'others of its type were: since the newest of them',
      maintenances: [ended(now('compute-2', 500), 9), ended(now('compute-3', 700), 8)],
      learned: { seenAtMs: 9, usualSeconds: 900 },
    },
    {
      situation: 'nobody knows when they were: since long ago',
      maintenances: [before('compute-2', 500)],
      learned: { seenAtMs: 0, usualSeconds: 900 },
    },
  ])('is learned where $situation', ({ maintenances, learned }) => {
    const { learnedMaintenance } = expectedTimes({ ...nothingSeen, maintenances }, usual);
    expect(learnedMaintenance(host)).toEqual(learned);
    expect(learnedMaintenance({ ...host, expectedMaintenanceSeconds: 333 })).toBeUndefined();
  });

  it('is not learned where the request says how long its plug-ins take', () => {
    const seen = { ...nothingSeen, maintenances: [before('compute-1', 400)] };
    const { learnedMaintenance } = expectedTimes(seen, usual, [{ type: 'host', seconds: 5 }]);
    expect(learnedMaintenance(host)).toBeUndefined();
  });
});

describe('expected maintenance of a session with plug-ins', () => {
  const host = { name: 'both-1', type: 'controller' as const, isCompute: true, expectedMaintenanceSeconds: 333 };
  const plugins = [
    { type: 'compute', seconds: 40 },
    { type: 'controller', seconds: 5 },
  ] as const;

  it('is what its request says, before what the cloud says', () => {
    expect(expectedTimes(nothingSeen, usual, plugins).maintenanceSeconds(host)).toBe(45);
  });

  it('is what the cloud says, where the request does not say it of all plug-ins', () => {
    const { maintenanceSeconds } = expectedTimes(nothingSeen, usual, [...plugins, { type: 'host' }]);
    expect(maintenanceSeconds(host)).toBe(333);
  });
});

describe('expected moves', () => {
  const moves = [
    { projectId, action: 'LIVE_MIGRATE' as const, seconds: 12 },
    { projectId, action: 'OWN_ACTION' as const, seconds: 70 },
  ];
  const { moveSeconds } = expectedTimes({ ...nothingSeen, moves }, usual);

  it.each([
    { situation: 'by an action that was seen', of: projectId, action: 'OWN_ACTION' as const, seconds: 70 },
    { situation: 'with the ID in another form', of: sameProject, action: 'LIVE_MIGRATE' as const, seconds: 12 },
    { situation: 'by an action that was not seen', of: projectId, action: 'MIGRATE' as const, seconds: 30 },
    { situation: 'of another project', of: 'another', action: 'LIVE_MIGRATE' as const, seconds: 30 },
  ])('$seconds s $situation', ({ of, action, seconds }) => {
    expect(moveSeconds({ projectId: of }, action)).toBe(seconds);
  });
});

describe('expected answers', () => {
  it.each([
    { situation: 'the project was never asked', answers: [], windowSeconds: 60, seconds: 10 },
    { situation: 'the window is shorter', answers: [], windowSeconds: 4, seconds: 4 },
    {
      situation: 'it has always answered',
      answers: [{ projectId, seconds: 20, silentShare: 0 }],
      windowSeconds: 60,
      seconds: 20,
    },
    {
      situation: 'it has never answered',
      answers: [{ projectId, seconds: undefined, silentShare: 1 }],
      windowSeconds: 60,
      seconds: 60,
    },
    {
      situation: 'it was silent one time in four',
      answers: [{ projectId, seconds: 20, silentShare: 0.25 }],
      windowSeconds: 60,
      seconds: 30,
    },
  ])('$seconds s where $situation', ({ answers, windowSeconds, seconds }) => {
    expect(expectedTimes({ ...nothingSeen, answers }, usual).answerSeconds({ projectId, windowSeconds })).toBe(seconds);
  });
});
