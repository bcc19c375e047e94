/**
 * The tests of a whole session on a real Nova: hosts with three servers each, three of which are an anti-affinity
 * group. It prints the costs: moves, time for each, requests to Nova for each.
 */
import { violationsIn } from '../../checker/check-trace';
import { watchMoves } from '../../checker/watch-moves';
import { type Admin, anAdmin } from '../../integration/rig/admin';
import { type Rig, startRig } from '../../integration/rig/rig';
import { countRequests } from './count-requests';
import { openStackEnvironment } from './driver-under-test';
import { type FaultyService, openFaultyNova } from './faulty-nova';
import { mirrorCloud } from './mirror-cloud';
import {
  enableOnly,
  listComputes,
  listMigrations,
  listServers,
  makeAntiAffinityGroup,
  makeServers,
  type Server,
} from './operator';
import { keepSilent } from './silent-projects';
import { storeConstraints } from './store-constraints';
import { audit, keepAuditing } from './switches';

export interface WholeSession {
  readonly workflow: string;
  readonly hosts: readonly string[];
  /** The share of groups without constraints, as in the workflow `vnf`; left out: one member at a time. */
  readonly impactShare?: number;
}

const serversPerHost = 4;

/** The constraints that the manager of three servers stores, which must stay apart: those of the server group. */
const storeLimits = async (admin: Admin, groupId: string, servers: readonly Server[]): Promise<void> => {
  const common = { group_id: groupId, project_id: servers[0]!.tenant_id, resource_mitigation: false };
  const limits = { anti_affinity_group: true, max_instances_per_host: 1, max_impacted_members: 1, recovery_time: 0 };
  await storeConstraints(admin, `/instance_group/${groupId}`, { ...common, ...limits, group_name: 'apart' });
  for (const { id, name } of servers) {
    const own = { max_interruption_time: 600, migration_type: 'LIVE_MIGRATE', lead_time: 0 };
    await storeConstraints(admin, `/instance/${id}`, { ...common, ...own, instance_id: id, instance_name: name });
  }
};

/**
 * Listings of the whole cloud, disabling and enabling included. One request lists the actions of the server before it
 * is asked to move: if Nova's answer is lost, no older action of the same user is taken for the move.
 */
const mostRequestsPerMove = 11;
/** Before a host is worked on, when it is back and before it is enabled, three lists tell what is on it. */
const mostRequestsPerHost = 9;
/** The looks at its beginning and end, however little it moves. */
const mostRequestsPerSession = 10;
/** The list of aggregates is kept so long, whatever is moved. */
const secondsOfAggregates = 30;
/** A session over a Nova that is asked by nobody else takes no longer, all its work together, shared by its moves. */
const usualSecondsPerMove = 3;
/** A slower Nova is asked for longer: about each of the moves under way, and about its services. */
const mostFurtherRequestsPerSecond = 2;

const mostRequests = (hosts: number, moves: number, seconds: number): number => {
  const furtherSeconds = Math.max(0, seconds - moves * usualSecondsPerMove);
  const lists = Math.ceil(seconds / secondsOfAggregates);
  const usual = mostRequestsPerSession + hosts * mostRequestsPerHost + moves * mostRequestsPerMove + lists;
  return usual + furtherSeconds * mostFurtherRequestsPerSecond;
};

export const describeWholeSession = ({ workflow, hosts, impactShare }: WholeSession): void => {
  describe(`a session with the workflow ${workflow}`, () => {
    const serverCount = hosts.length * serversPerHost;
    let rig: Rig;
    let group: string;
    let apart: readonly Server[];
    let nova: FaultyService;
    let endAudits = (): void => undefined;
    let endSilence = (): void => undefined;

    beforeAll(async () => {
      await enableOnly(hosts);
      group = await makeAntiAffinityGroup('apart');
      const placed = Array.from({ length: serverCount - 3 }, (_, index) => ({
        name: `server-${index + 1}`,
        host: hosts[index % hosts.length]!,
        project: index % 2 === 0 ? 'web' : 'database',
      }));
      const wishes = [1, 2, 3].map((number) => ({ name: `apart-${number}`, host: `compute-${number}`, group }));
      await makeServers(placed);
      apart = await makeServers(wishes);
      await audit();
      endAudits = keepAuditing();
      nova = await openFaultyNova();
      const environment = {
        ...openStackEnvironment(),
        OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url,
        PARLEY_LIVE_MOVE_SECONDS: '600',
      };
      rig = await startRig({ environment: { ...environment, PARLEY_MOVE_SECONDS: '600' } });
      endSilence = await keepSilent(rig);
    });
    afterAll(async () => {
      endAudits();
      endSilence();
      await rig.stop();
      await nova.close();
    });

    it('maintains all hosts, keeps every constraint and leaves every host enabled', async () => {
      const admin = anAdmin(rig.url);
      await storeLimits(admin, group, apart);
      await mirrorCloud(rig.db, rig.services.cloud);
      const recording = await watchMoves(rig.db, impactShare === undefined ? {} : { impactShare });
      await rig.services.cloud.missingRights(); // every five minutes, whatever is moved
      const before = nova.calls.length;
      const startedMs = Date.now();
      const sessionId = await admin.create({ hosts, workflow });
      const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
      expect(done.percent_done).toBe(100);
      const seconds = (Date.now() - startedMs) / 1000;
      const moves = await rig.db.openstackMove.count({ where: { status: 'done' } });
      const requests = nova.calls.slice(before);
      const requestsPerMove = requests.length / moves;
      console.log(
        `${workflow}: ${moves} moves in ${seconds.toFixed(0)} s, ${(seconds / moves).toFixed(1)} s a move, ` +
          `${requests.length} requests to Nova, ${requestsPerMove.toFixed(1)} a move:\n` +
          countRequests(requests)
            .map(([kind, count]) => `${String(count).padStart(5)} ${kind}`)
            .join('\n'),
      );
      expect(violationsIn(await recording.read())).toEqual([]);
      expect(requests.length).toBeLessThanOrEqual(mostRequests(hosts.length, moves, seconds));
      const byNova = (await Promise.all((await listServers()).map(({ id }) => listMigrations(id)))).flat();
      // A forced move ends as confirmed.
      const ended = byNova.filter(({ status }) => status === 'completed' || status === 'confirmed');
      expect(ended.length).toBe(moves);
      const computes = (await listComputes()).filter(({ host }) => hosts.includes(host));
      expect(computes.map(({ status }) => status)).toEqual(hosts.map(() => 'enabled'));
      const active = Array.from({ length: serverCount }, () => 'ACTIVE');
      expect((await listServers()).map(({ status }) => status)).toEqual(active);
    });
  });
};
