/** Every kind of blocker in each place where people read it: plan and summary, in the terminal and on the page. */
import { examples } from '../../../../api/openapi/examples';
import { BlockerSchema } from '../../../../api/schemas/blocker-schema';
import type { PlanBody } from '../../../../api/schemas/plan-schemas';
import type { SessionSummaryBody } from '../../../../api/schemas/summary-schemas';
import { serializeBlockers } from '../../../../api/showing/serialize-blockers';
import { paintFor } from '../../../../cli/client/render/paint';
import { planLines } from '../../../../cli/client/render/plan';
import { sessionLines } from '../../../../cli/client/render/session';
import { type Blocker, blocker, blockerKinds, byGravity } from '../../../../rules/obstacles/blockers';
import { ownerInWords } from '../../../../rules/obstacles/owner';
import { asSeen } from '../../../../rules/words/what-they-see';

interface Row {
  readonly is: Blocker;
  /** Whose it is, in the terminal and on the page. */
  readonly owner: string;
  readonly says: string;
  readonly helps: string;
}

const [hostname, sessionId, projectId] = ['compute-1', 'session-1', 'p'] as const;
const why = 'its fan is broken';
const atMs = Date.parse('2026-01-05T00:00:00Z');
const at = '2026-01-05T00:00:00.000Z';
const missing = { amounts: { VCPU: 4 }, wanted: [], onHosts: 1 };
const instance = { id: 'i-1', name: 'web-1', host: hostname, projectId };
/** Words of the API or of the terminal. */
const apiOrTerminal = /\b(GET|PUT|POST|PATCH|DELETE) |\bparley [a-z]/;
const [operator, you, vepc, nobody] = ['the cloud team', 'you', 'the tenant vepc', 'nobody'] as const;
const standing = { sessionId, isPlanned: false };
const planned = { sessionId, isPlanned: true };
const paused = { ...standing, pausedAt: new Date(atMs) };
const late = { sessionId, severity: 'delays', deadlineMs: atMs, isPassed: false, endMs: undefined } as const;
const lost = { rule: 'get_project', neededTo: 'tell names', severity: 'limits', lost: 'IDs stand for names' } as const;

const rows: readonly Row[] = [
  {
    is: blocker('answer_awaited', { projectId, state: 'MAINTENANCE', replyAtMs: atMs }),
    owner: vepc,
    says: `project vepc has not answered MAINTENANCE yet; its window ends at ${at}`,
    helps: 'its manager answers (PUT',
  },
  {
    is: blocker('answer_awaited', { projectId, instanceId: 'i-1', state: 'MAINTENANCE' }),
    ...{ owner: vepc, says: 'project vepc has not answered', helps: 'its manager answers' },
  },
  {
    is: blocker('cloud_right_missing', { rule: 'list', neededTo: 'list hosts', severity: 'stops' }),
    owner: operator,
    says: 'the login of the service in the cloud lacks the right list, which is needed to list hosts; no work on a host',
    helps: 'allow it to the role',
  },
  {
    is: blocker('cloud_right_missing', lost),
    ...{ owner: operator, says: 'needed to tell names; IDs stand for names', helps: 'allow it to the role' },
  },
  {
    is: blocker('constraints_not_readable', { id: 'g', name: 'web', projectId, fault: "shop/web: ask is 'maybe'" }),
    ...{ owner: vepc, says: "shop/web: ask is 'maybe'; until then", helps: 'let its project write it' },
  },
  {
    is: blocker('controller_left_out', { hostname, owner: 'admin', because: why, help: 'repair it' }),
    ...{ owner: you, says: why, helps: 'repair it' },
  },
  {
    is: blocker('deadline_missed', late),
    owner: you,
    says: `the session is not expected to be over at its deadline ${at}`,
    helps: 'skip hosts or name fewer',
  },
  {
    is: blocker('deadline_missed', { ...late, endMs: atMs + 1000 }),
    ...{ owner: you, says: 'it is expected to end at 2026-01-05T00:00:01.000Z', helps: 'skip hosts' },
  },
  {
    is: blocker('deadline_missed', { ...late, isPassed: true, endMs: Infinity }),
    owner: you,
    says: `the session has passed its deadline ${at}; it is not expected to end`,
    helps: 'skip hosts',
  },
  {
    is: blocker('deadline_missed', {
      ...{ ...late, putOff: { instanceName: 'db-1', projectId: 'web', untilMs: atMs + 1000 } },
    }),
    ...{ owner: you, says: 'project web lets instance db-1 be impacted only from 2026-01-05T00:00:01.000Z on' },
    helps: 'ask the project for an earlier time',
  },
  {
    is: blocker('deadline_missed', { ...late, severity: 'note', endMs: atMs }),
    owner: you,
    says: `the session may pass its deadline ${at}: it ends at ${at} at the latest`,
    helps: 'skip hosts',
  },
  {
    is: blocker('download_failing', { sessionId, problem: 'https://files answers 404' }),
    ...{ owner: operator, says: 'https://files answers 404', helps: 'it is tried again by itself' },
  },
  {
    is: blocker('group_never_met', {
      ...{ id: 'g', name: 'web', projectId, maxInstancesPerHost: 1, hosts: 3, slots: 2, members: 3 },
    }),
    owner: vepc,
    says: 'group web lets 1 of its members share a host: with one of 3 usable compute hosts out there is place for 2 of its 3',
    helps: 'let its project raise max_instances_per_host',
  },
  {
    is: blocker('members_away_with_host', { id: 'g', name: 'web', projectId, away: 2 }),
    owner: vepc,
    says: 'no other host may take 2 members of group web when their turn comes: each is away until its host is back',
    helps: 'nothing has to be done',
  },
  {
    is: blocker('host_cannot_be_drained', {
      hostname,
      projectId,
      owner: 'operator',
      because: why,
      help: 'free it',
      missing,
    }),
    owner: operator,
    says: 'host compute-1 cannot be drained: its fan is broken',
    helps: 'free it, or leave host compute-1 out',
  },
  {
    is: blocker('host_cannot_be_drained', { hostname, projectId, owner: 'project', because: why, help: 'scale in' }),
    ...{ owner: vepc, says: 'host compute-1 cannot be drained', helps: 'scale in, or leave host compute-1 out' },
  },
  {
    is: blocker('host_cannot_be_drained', { sessionId, failure: 'the plug-in failed' }),
    ...{ owner: operator, says: 'the plug-in failed', helps: 'see to what the reason names' },
  },
  {
    is: blocker('host_disabled', { hostname, reason: 'broken fan' }),
    ...{ owner: operator, says: 'host compute-1 is disabled already (broken fan)', helps: 'enable it before' },
  },
  {
    is: blocker('host_down', { hostname, instances: [instance], severity: 'stops' }),
    ...{
      owner: operator,
      says: 'host compute-1 is down, so nobody can move instance web-1 (i-1)',
      helps: 'bring it up again',
    },
  },
  {
    is: blocker('host_failed', { hostname, phase: 'set_aside', course: 'going', why }),
    ...{ owner: operator, says: 'host compute-1: its fan is broken', helps: 'repair it and retry the host' },
  },
  {
    is: blocker('host_failed', { hostname, phase: 'failed', course: 'failed', why }),
    ...{ owner: operator, says: 'host compute-1: its fan is broken', helps: 'repair it and continue the session' },
  },
  {
    is: blocker('host_in_doubt', {
      hostname,
      owner: 'project',
      projectId,
      because: 'a resize waits',
      help: 'confirm it',
    }),
    ...{ owner: vepc, says: 'a resize waits', helps: 'confirm it, or leave host compute-1 out' },
  },
  {
    is: blocker('host_left_out', { hostname, phase: 'skipped', course: 'done', why }),
    owner: operator,
    says: 'host compute-1: its fan is broken',
    helps: 'see to the reason and maintain the host in another session; this one is over',
  },
  {
    is: blocker('host_left_out', { hostname, why: 'its services never reported' }),
    owner: operator,
    says: 'host compute-1 seems to be gone, since its services never reported',
    helps: 'delete what the cloud still lists',
  },
  {
    is: blocker('host_not_listed', { hostname, becomes: 'failure' }),
    ...{ owner: operator, says: 'host compute-1: the cloud does not list it any more, so the session fails' },
    helps: 'bring the host back; then continue',
  },
  {
    is: blocker('host_occupied', { hostname, guests: ['web-1 (i-1)'] }),
    owner: operator,
    says: 'host compute-1 failed and is out of use, and web-1 (i-1) came to it',
    helps: 'move what is on it away',
  },
  {
    is: blocker('host_of_another_session', { hostname, sessionId }),
    ...{ owner: you, says: 'host compute-1 belongs to session session-1', helps: 'wait for that session' },
  },
  {
    is: blocker('host_set_aside', { hostname, why, atMs }),
    owner: you,
    says: `host compute-1 is set aside at about ${at}, as max_failed_hosts allows: its fan is broken`,
    helps: 'see to what the reason names',
  },
  {
    is: blocker('host_skipped', { hostname, why, atMs }),
    owner: you,
    says: `host compute-1 is skipped at about ${at}: its fan is broken`,
    helps: 'see to what the reason names',
  },
  {
    is: blocker('instance_cannot_be_moved', { ...instance, because: 'it has an accelerator' }),
    owner: vepc,
    says: 'the cloud does not move instance web-1 (i-1) away from host compute-1, since it has an accelerator',
    helps: 'let its manager answer OWN_ACTION',
  },
  {
    is: blocker('instance_ends_by_itself', {
      ...{ ...instance, because: 'it is at work for Job nightly', waitSeconds: 60, isMoved: true },
    }),
    owner: vepc,
    says: 'instance web-1 (i-1) of project vepc is waited for, since it is at work for Job nightly: at most for 60 s from',
    helps: 'give the session a shorter time',
  },
  {
    is: blocker('instance_held_by_state', {
      ...{
        ...instance,
        departure: {
          kind: 'held',
          why: { because: 'it is SUSPENDED', owner: 'project', help: 'let its project resume it' },
        },
        severity: 'stops',
      },
    }),
    owner: vepc,
    says: 'instance web-1 (i-1) of project vepc cannot be moved, since it is SUSPENDED',
    helps: 'let its project resume it',
  },
  {
    is: blocker('instance_may_be_refused', {
      ...instance,
      because: 'budget b lets none go now',
      help: 'add a replica',
    }),
    owner: vepc,
    says: 'the cloud would refuse to move instance web-1 (i-1) away from host compute-1 now, since budget b lets none go now; the host goes last',
    helps: 'add a replica, or leave host compute-1 out of the session',
  },
  {
    is: blocker('instance_ends_for_good', { ...instance, because: 'Job build allows no further failure' }),
    owner: vepc,
    says: 'the work of instance web-1 (i-1) of project vepc is lost for good when it leaves host compute-1, since Job build',
    helps: 'let it end before, let its project allow another try, or leave host compute-1 out of the session',
  },
  {
    is: blocker('instance_may_come_back', { ...instance, because: 'it tolerates everything' }),
    owner: vepc,
    says: 'instance web-1 (i-1) may come back to host compute-1 while that is drained, since it tolerates everything',
    helps: 'let its project take that away, or leave host compute-1 out of the session',
  },
  {
    is: blocker('instance_without_place', {
      ...instance,
      isUpToSession: false,
      tried: { needs: '64 vcpus', wanted: ['a GPU'], unfit: new Map([['a GPU', ['b', 'c']]]) },
      severity: 'stops',
    }),
    owner: operator,
    says: 'needs 64 vcpus: no other enabled compute host with a GPU is that large, even empty; hosts b and c lack a GPU',
    helps: 'add or enable such a host, or let its project make the instance smaller',
  },
  {
    is: blocker('no_capacity', { need: 'host compute-1 needs 4 vcpus more', projectIds: [projectId], missing }),
    owner: operator,
    says: 'no host can be drained: host compute-1 needs 4 vcpus more',
    helps: 'add or enable a compute host with that much free, or let project vepc scale in; the session asks',
  },
  {
    is: blocker('nothing_maintained', { sessionId, hostCount: 1, without: ['compute-1'], isCreated: true }),
    ...{
      owner: you,
      says: 'the session has no action for its hosts',
      helps: 'nothing has to be done if that is meant',
    },
  },
  {
    is: blocker('outside_owner_hours', { ...instance, severity: 'stops' }),
    ...{
      owner: vepc,
      says: 'instance web-1 (i-1) fits into no hour of its owner, project vepc',
      helps: 'the project changes',
    },
  },
  {
    is: blocker('outside_owner_hours', {
      ...{ ...instance, severity: 'delays', beyond: { deadlineMs: atMs, nextMs: atMs + 1000 } },
    }),
    owner: vepc,
    says: `fits into no hour of project vepc before the deadline ${at}: the next one begins at 2026-01-05T00:00:01.000Z`,
    helps: 'the project changes',
  },
  {
    is: blocker('project_silent', { projectId, percent: 80 }),
    ...{ owner: vepc, says: 'project vepc left 80 % of its last questions', helps: 'see that its manager receives' },
  },
  {
    is: blocker('project_without_constraints', { projectId, instances: 2, defaults: 'MIGRATE', replySeconds: 60 }),
    owner: vepc,
    says: 'project vepc has 2 instances without constraints on the hosts, which get the default: MIGRATE',
    helps: 'let its manager store constraints',
  },
  {
    is: blocker('refusals_not_foreseen', { sessionId, lastNack: 'skip_host' }),
    ...{ owner: you, says: 'the session skips the host where a project refuses', helps: 'ask the projects' },
  },
  {
    is: blocker('refused_before', { projectId, lastNack: 'pause' }),
    ...{ owner: vepc, says: 'the session pauses itself', helps: 'ask it before the session begins' },
  },
  {
    is: blocker('session_ending', { sessionId }),
    ...{ owner: nobody, says: 'the session is being aborted or deleted', helps: 'nothing has to be done' },
  },
  {
    is: blocker('session_ending', { sessionId, failure: 'host compute-1: it broke' }),
    ...{ owner: nobody, says: 'the session fails: host compute-1: it broke', helps: 'then repair the cause' },
  },
  {
    is: blocker('session_failed', { ...standing, failure: 'they broke', toRepair: ['a', 'b', 'c', 'd'] }),
    ...{ owner: you, says: 'they broke', helps: 'repair the cause on hosts a, b, c and 1 more, then continue' },
  },
  {
    is: blocker('session_failed', { ...standing, failure: null }),
    ...{ owner: you, says: 'the session has failed', helps: 'repair the cause, then continue the session' },
  },
  {
    is: blocker('session_failed', { ...planned, failure: 'host compute-1: it broke' }),
    ...{ owner: you, says: 'host compute-1: it broke', helps: 'repair the cause, then continue the session' },
  },
  {
    is: blocker('session_paused', { ...paused, pausedBecause: null }),
    ...{ owner: you, says: `an admin paused the session at ${at}`, helps: 'resume the session' },
  },
  {
    is: blocker('session_paused', { ...paused, pausedBecause: 'the canary is done' }),
    ...{ owner: you, says: `the session paused itself at ${at}: the canary is done`, helps: 'resume the session' },
  },
  {
    is: blocker('session_pauses', { sessionId, projectId, why: 'project p did not answer' }),
    owner: vepc,
    says: 'the session pauses itself, since project vepc did not answer (reply_policy)',
    helps: 'see that the manager of the project answers',
  },
  {
    is: blocker('session_pauses', { sessionId, atMs, why: 'the canary is done' }),
    ...{ owner: you, says: `the session pauses itself at about ${at}: the canary is done`, helps: 'POST' },
  },
  {
    is: blocker('target_down', { hostname, count: 2 }),
    owner: operator,
    says: 'host compute-1 is down, and no other host outside of the session could take 2 of the instances that leave',
    helps: 'bring it up again before the session begins',
  },
  {
    is: blocker('too_many_sessions', { count: 8, most: 8 }),
    ...{ owner: you, says: '8 sessions are unfinished, and at most 8 may be', helps: 'wait for one of them to end' },
  },
  {
    is: blocker('window_not_known', { sessionId, problem: 'the time zone is unknown' }),
    owner: you,
    says: 'nothing begins on a worker like this API: the time zone is unknown',
    helps: 'change windows (PATCH',
  },
  {
    is: blocker('session_frozen', { sessionId, freeze: 'freeze x (y)', fromMs: atMs, untilMs: atMs + 1, nowMs: atMs }),
    owner: you,
    says: `freeze x (y) keeps it from beginning anything until ${at.slice(0, -2)}1Z`,
    helps: 'let the session ignore freezes (PATCH',
  },
  {
    is: blocker('session_frozen', { sessionId, freeze: 'freeze x (y)', fromMs: atMs, untilMs: atMs + 1, nowMs: 0 }),
    owner: you,
    says: `freeze x (y) keeps it from beginning anything from ${at} until ${at.slice(0, -2)}1Z`,
    helps: 'change the freeze (PUT',
  },
  {
    is: blocker('windows_over', { sessionId, freezes: '' }),
    owner: you,
    says: 'hosts are left when the last of its maintenance windows closes',
    helps: 'add dates to windows (PATCH',
  },
  {
    is: blocker('windows_over', { sessionId, freezes: 'christmas, quarter-end' }),
    owner: you,
    says: 'hosts are left when the last time closes that its maintenance windows and freezes (christmas, quarter-end) leave',
    helps: 'change the freeze (PUT',
  },
  {
    is: blocker('window_too_short', { hostname, why: 'it takes 90 minutes', severity: 'stops' }),
    owner: you,
    says: 'host compute-1 fits into no maintenance window: it takes 90 minutes',
    helps: 'make a window longer',
  },
  {
    is: blocker('workflow_not_known', { workflow: 'blue-green' }),
    ...{ owner: you, says: 'workflow blue-green comes with the packages', helps: 'create the session' },
  },
];

const look = { columns: 1000, paint: paintFor(false) };

it('the table below has every kind', () => {
  expect([...new Set(rows.map(({ is }) => is.kind))].sort()).toEqual(blockerKinds);
});

describe.each(rows)('$is.kind: $says', ({ is, owner, says, helps }) => {
  const [body] = serializeBlockers([is], new Map([[projectId, 'vepc']]));

  it('has its reason, its help and its owner in every answer of the API', () => {
    expect(body!.because).toContain(says);
    expect(body!.help).toContain(helps);
    expect(Object.keys(body!)).toEqual(BlockerSchema.required);
  });

  it('is said in the terminal, of a plan as of a session that runs', () => {
    const [plan, summary]: unknown[] = [examples.Plan, examples.SessionSummary];
    const inPlan = planLines({ ...(plan as PlanBody), blockers: [body!] }, look).join('\n');
    const inSummary = sessionLines({ ...(summary as SessionSummaryBody), blockers: [body!] }, look).join('\n');
    const lines = `${is.severity}: ${body!.because}\n  up to ${owner}: ${asSeen(body!.help, 'terminal')}`;
    expect(inPlan).toContain(lines);
    expect(inSummary).toContain(lines);
  });

  it('names neither a request nor a command on the page', () => {
    expect(asSeen(`${body!.because}; ${body!.help}`, 'page')).not.toMatch(apiOrTerminal);
  });

  it('names on the page whom it is up to', () => {
    expect(ownerInWords(body!)).toBe(owner);
  });
});

it('the gravest come first', () => {
  const severities = rows
    .map(({ is }) => is)
    .toSorted(byGravity)
    .map(({ severity }) => severity);
  expect([...new Set(severities)]).toEqual(['stops', 'delays', 'note']);
});
