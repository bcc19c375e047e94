/** Commands before and at the beginning of a session: plan, create. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import type { CreateSessionBody } from '../../../api/schemas/session-schemas';
import { shortId } from '../../../rules/words/times';
import type { Api } from '../api';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { CommandFailure, exitCodes, usageFailure } from '../exit';
import { hostsNamed } from '../host-names';
import { lookBefore } from '../look-before';
import { done, noticesOf, show } from '../output';
import { planLines } from '../render/plan';
import { type RequestFlags, requestFrom, saysHosts } from '../session-request';

export const addCreateCommands = (program: Command, tools: CommandTools): void => {
  addPlan(program, tools);
  addCreate(program, tools);
};

interface PlanFlags extends CommonFlags, RequestFlags {
  readonly exitStatus?: true;
}

const withRequest = (command: Command): Command =>
  command
    .option('-f, --file <file>', 'the session as YAML or JSON, as POST /v1/maintenance takes it; -: standard input')
    .option(
      '--hosts <names>',
      "hosts to maintain, separated by commas, also patterns such as 'rack7-*'; all: every host of the cloud",
    )
    .option(
      '--select <labels>',
      "hosts with these labels, beside those of --hosts, such as 'zone=a,rack in (r1,r2)' (docs/sessions.md)",
    )
    .option('--except <names>', 'hosts to leave out all the same, separated by commas, also patterns')
    .option(
      '--workflow <name>',
      'default: one host after the other; vnf: many at once; k8s: many nodes of Kubernetes at once',
    )
    .option('--start <time>', 'when it begins, as ISO 8601 or YYYY-MM-DD HH:MM:SS in UTC; else now')
    .option('--name <text>', 'what you call it, in lists and events')
    .option('--set <field=value>', 'another field of the session, its value in YAML; may be repeated', collect);

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

const addPlan = (program: Command, { apiFor, console }: CommandTools): void => {
  withRequest(
    describe(program, {
      usage: 'plan [session]',
      summary: 'say what a session would do, when it would end, and what stands in its way',
      about:
        'Nothing is created. With SESSION: the plan of what is left of that session. ' +
        'The options describe a session as for `parley create`.',
      examples: [
        ['Look before you create', 'parley plan --hosts compute-1,compute-2 --workflow vnf'],
        [
          'Create the session only if it would come to its end',
          'parley plan -f session.yaml --exit-status && parley create -f session.yaml',
        ],
        ['Keep the plan, and create the session from it', 'parley plan -f session.yaml -o json >plan.json'],
        ['When does the session that runs end?', 'parley plan 47479bca'],
      ],
    }),
  )
    .option('--exit-status', 'exit code 5 when the session would not come to its end')
    .action(async (given: string | undefined, flags: PlanFlags) => {
      const api = await apiFor(flags);
      const isNew = flags.file !== undefined || saysHosts(flags);
      if (isNew && given !== undefined)
        throw usageFailure('give either SESSION, or -f, --hosts or --select of a new one');
      const plan = isNew
        ? await api.plan(await withHosts(api, await requestFrom(console, flags, new Date())))
        : await api.planOf(await findSessionId(api, given));
      showPlan({ console }, flags, plan);
      if (flags.exitStatus === true && !plan.completes) {
        throw new CommandFailure('the session would not come to its end', exitCodes.endedBadly);
      }
    });
};

const showPlan = ({ console }: Pick<CommandTools, 'console'>, { output }: CommonFlags, plan: PlanBody): void => {
  show(console, output, {
    object: plan,
    names: plan.hosts.map(({ hostname }) => `host/${hostname}`),
    lines: (look) => planLines(plan, look),
  });
};

interface CreateFlags extends PlanFlags {
  readonly dryRun?: true;
  readonly key?: string;
  readonly yes?: true;
}

const examplesOfCreate: readonly (readonly [string, string])[] = [
  [
    'Maintain two hosts now, by a script of a package',
    "parley create --hosts compute-1,compute-2 --name 'kernel of rack 7' \\\n" +
      '      --set download=[https://example.org/kernel.tar.gz] \\\n' +
      "      --set 'actions=[{plugin: script, type: host, metadata: {script: kernel.sh}}]'",
  ],
  ['Only drain a host, and enable it again', 'parley create --hosts compute-1'],
  [
    'Two racks of a zone, without one host',
    "parley create --select 'zone=a,rack in (r1,r2)' --except compute-7 --workflow vnf",
  ],
  ['From a file, with another start', 'parley create -f session.yaml --start "2026-12-01 22:00:00"'],
  ['From a plan', 'parley plan -f session.yaml -o json >plan.json; parley create --from-plan plan.json'],
  [
    'Tonight from two to six, one host first, and go on where one breaks',
    'parley create --hosts compute-1,compute-2 --set max_failed_hosts=1 \\\n' +
      "      --set 'canary={hosts: 1, then: continue}' \\\n" +
      '      --set \'windows=[{days: [mon, tue, wed, thu, fri, sat, sun], from: "02:00", to: "06:00", time_zone: UTC}]\'',
  ],
  [
    'Leave out hosts whose projects do not answer',
    "parley create --hosts all --set 'reply_policy={silence: skip_host}'",
  ],
  [
    'On Kubernetes: give Jobs two hours, and evict pods with local data',
    "parley create --hosts node-1 --workflow k8s --set 'eviction={complete_within_seconds: 7200, local_data: delete}'",
  ],
  ['See only what it would do', 'parley create --hosts all --workflow vnf --dry-run'],
];

const addCreate = (program: Command, tools: CommandTools): void => {
  withRequest(
    describe(program, {
      isChange: true,
      usage: 'create',
      summary: 'create a maintenance session',
      about:
        'It is created once, also where the answer is lost and the request is sent again. A session for every host of ' +
        'the cloud is asked about first, and at a terminal also one that its plan does not bring to its end; the ' +
        'blockers are named in any case. The actions are what maintains the hosts: without one they are only drained, ' +
        'disabled and enabled again. Fields for --set: max_parallel_hosts, max_parallel_per, one_domain_at_a_time, host_start_seconds, max_failed_hosts, failed_hosts, ' +
        'reply_policy, postpone, owner_hours, canary, windows, deadline, eviction, actions, download, metadata (docs/sessions.md).',
      examples: examplesOfCreate,
    }),
  )
    .option('--from-plan <file>', 'the session that `parley plan … -o json` has planned')
    .option('--dry-run', 'print the plan, and create nothing')
    .option('--key <key>', 'Idempotency-Key: the same key and session never make two')
    .option('-y, --yes', 'do not ask')
    .action((flags: CreateFlags) => create(tools, flags));
};

/** Patterns among the names of hosts stand for the hosts of the cloud that fit. */
const withHosts = async (api: Api, request: CreateSessionBody): Promise<CreateSessionBody> => {
  const { hosts, select } = request;
  const known = async () => (await api.choices()).hosts.map(({ hostname }) => hostname);
  return {
    ...request,
    ...(Array.isArray(hosts) && { hosts: [...(await hostsNamed(hosts, known))] }),
    ...(Array.isArray(select?.except) && {
      select: { ...select, except: [...(await hostsNamed(select.except, known))] },
    }),
  };
};

const create = async (tools: CommandTools, flags: CreateFlags): Promise<void> => {
  const { apiFor, console } = tools;
  const api = await apiFor(flags);
  const request = await withHosts(api, await requestFrom(console, flags, new Date()));
  if (flags.dryRun === true) {
    showPlan({ console }, flags, await api.plan(request));
    return;
  }
  await lookBefore(tools, { api, request, yes: flags.yes === true });
  const created = await api.create(request, flags.key ?? randomUUID());
  const { session_id: id } = created;
  show(console, flags.output, done(`session/${id}`, 'created', { object: created }));
  for (const line of noticesOf(await api.problems())) console.err(`${line}\n`);
  if (flags.output === undefined) console.err(`Watch it with: parley watch ${shortId(id)}\n`);
};
