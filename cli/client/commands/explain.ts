/** `parley explain`: why a host or an instance waits, who can end the wait, how long it may last, and what helps. */
import type { Command } from 'commander';
import type { SessionDetailBody } from '../../../api/schemas/session-schemas';
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import { keyOf } from '../../../rules/cloud/id';
import { hostStanding } from '../../../rules/obstacles/host-standing';
import { countsOn, instancesOn, isMoving } from '../../../rules/obstacles/on-host';
import { furtherReason, helpForWait, inWords, isTurn } from '../../../rules/reasons/in-words';
import { phaseInWords } from '../../../rules/words/phases';
import { ageOf, count, duration, shortId } from '../../../rules/words/times';
import { asSeen } from '../../../rules/words/what-they-see';
import type { Api } from '../api';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { CommandFailure, exitCodes } from '../exit';
import { sessionOfHost } from '../host-names';
import { noticesOf, show } from '../output';
import { sentence } from '../render/terminal-text';
import { showSummary } from './sessions';

export const addExplainCommand = (program: Command, tools: CommandTools): void => {
  describe(program, {
    usage: 'explain [thing]',
    summary: 'say why a host or an instance waits: on whom, how long still, and what would help',
    about:
      'THING is the name of a host, or the name or ID of an instance. Without it, or with the ID of a session: all that the session waits for.',
    examples: [
      ['Why does nothing happen?', 'parley explain'],
      ['Why does nothing happen in this session?', 'parley explain 47479bca'],
      ['Why is this host not drained yet?', 'parley explain compute-7'],
      ['What holds up this instance?', 'parley explain web-3 -s 47479bca'],
    ],
  })
    .option('-s, --session <session>', 'the session; else the one that is not over, and has the host')
    .action((thing: string | undefined, flags: ExplainFlags) => explainThing(tools, thing, flags));
};

interface ExplainFlags extends CommonFlags {
  readonly session?: string;
}

const explainThing = async (
  { apiFor, console }: CommandTools,
  thing: string | undefined,
  flags: ExplainFlags,
): Promise<void> => {
  const api = await apiFor(flags);
  const named = flags.session === undefined ? await sessionNamed(api, thing) : undefined;
  const id = named ?? (await sessionOfHost(api, flags.session, thing?.replace(/^host\//, '')));
  if (thing === undefined || named !== undefined) {
    await showSummary({ console, api, output: flags.output }, id);
    return;
  }
  const name = thing.replace(/^host\//, '');
  const [narrowed, summary, problems] = await Promise.all([
    api.detail(id, { host: name }),
    api.summary(id),
    api.problems(),
  ]);
  const detail = narrowed.hosts.length > 0 ? narrowed : await api.detail(id);
  const lines = explain({ detail, summary }, name);
  if (lines === undefined) {
    throw new CommandFailure(`session ${shortId(id)} has no host and no instance ${name}`, exitCodes.failed, [
      'parley show --hosts lists its hosts',
    ]);
  }
  show(console, flags.output, {
    notices: noticesOf(problems),
    object: detail,
    names: [`host/${name}`],
    lines: () => lines,
  });
};

/** Matches enough characters to name a session. */
const likeSessionId = /^[0-9a-f-]{4,36}$/i;

/** Other commands take a session in this place. Undefined: it is no session, though it looks like the ID of one. */
const sessionNamed = async (api: Api, thing: string | undefined): Promise<string | undefined> => {
  if (thing?.startsWith('session/') === true) return findSessionId(api, thing);
  if (thing === undefined || !likeSessionId.test(thing)) return undefined;
  const beginning = keyOf(thing);
  const found = (await api.sessions()).filter(({ session_id: id }) => keyOf(id).startsWith(beginning));
  return found.length === 1 ? found[0]?.session_id : undefined;
};

export interface Explained {
  /** Has the host in question, or all hosts. */
  readonly detail: SessionDetailBody;
  readonly summary: Pick<SessionSummaryBody, 'progress' | 'state' | 'failure'>;
}

export const explain = ({ detail, summary }: Explained, thing: string): string[] | undefined => {
  const host = detail.hosts.find(({ hostname }) => hostname === thing);
  if (host !== undefined) return explainHost({ detail, summary }, host).map(sentence);
  const instance = detail.instances.find((one) => one.instance_id === thing || one.instance_name === thing);
  return instance && explainInstance({ detail, summary }, instance).map(sentence);
};

type HostInBody = SessionDetailBody['hosts'][number];
type InstanceInBody = SessionDetailBody['instances'][number];
type WaitingInBody = SessionDetailBody['session']['waiting'][number];

const explainHost = (explained: Explained, host: HostInBody): string[] => {
  const { hostname, phase, phase_since: since, waiting, details } = host;
  const there = instancesOn(explained.detail, hostname);
  const own = there.filter((instance) => reasonOf(explained, instance) !== undefined);
  const others = there.filter((instance) => !own.includes(instance));
  return [
    `host ${hostname}: ${phaseInWords(phase)} for ${ageOf(since, Date.now())}, ${count(there.length, 'instance')} on it`,
    ...(details === '' ? [] : [`  ${details}`]),
    ...(waiting === null ? standingLines(explained, host) : reasonLines(waiting)),
    ...own.flatMap((instance) => explainInstance(explained, instance)),
    ...(waiting === null ? [] : othersOf(explained, others)),
  ];
};

/** Why it waits, unless it is for the turn of its host, which says that itself. */
const reasonOf = ({ detail }: Explained, { instance_id: id, host }: InstanceInBody): WaitingInBody | undefined =>
  detail.session.waiting.find(
    ({ who, waiting_for: kind, subject }) => who === id && !(kind === 'host' && subject === host),
  );

const othersOf = ({ detail }: Explained, instances: readonly InstanceInBody[]): string[] => {
  const moving = instances.filter((instance) => isMoving(detail, instance)).length;
  const rest = instances.length - moving;
  return [
    ...(moving === 0 ? [] : [`${count(moving, 'instance')} on it ${moving === 1 ? 'moves' : 'move'}`]),
    ...(rest === 0 ? [] : [`${count(rest, 'instance')} on it ${rest === 1 ? 'has' : 'have'} not moved yet`]),
  ];
};

/** The failure of the session, where the host has none of its own. */
const standingLines = (explained: Explained, { hostname, phase, details }: HostInBody): string[] => {
  const { detail, summary } = explained;
  const { words, help } = hostStanding(phase, { session: summary, ...countsOn(detail, hostname) });
  return [
    `  ${words}`,
    ...(summary.failure === null || details !== '' || help === undefined ? [] : [`  because ${summary.failure}`]),
    ...(help === undefined ? [] : [`  what would help: ${help}`]),
  ];
};

const explainInstance = (explained: Explained, instance: InstanceInBody): string[] => {
  const { instance_id: id, instance_name: name, host, action, project_state: answer } = instance;
  const reason = reasonOf(explained, instance);
  const facts = [action ?? '', answer].filter((one) => one !== '').join(', ');
  return [
    `instance ${name} (${id}) on ${host}${facts === '' ? '' : `: ${facts}`}`,
    ...(reason === undefined ? stillLines(explained, instance) : reasonLines(reason)),
  ];
};

/** It waits for nothing. */
const stillLines = (explained: Explained, instance: InstanceInBody): string[] => {
  const { host: hostname, state, details } = instance;
  if (state === 'DELETED') return ['  it is gone: nothing more happens to it'];
  const host = explained.detail.hosts.find((one) => one.hostname === hostname);
  if (host === undefined) return [`  it stays there: host ${hostname} is not in the session`];
  if (isMoving(explained.detail, instance) && isDrained(host)) return ['  it moves'];
  if (host.phase === 'waiting' && host.waiting !== null) return reasonLines(host.waiting);
  return [
    ...(details === null ? [] : [`  ${details}`]),
    `  it stays there for now; host ${hostname}: ${phaseInWords(host.phase)}`,
    ...(host.waiting === null
      ? standingLines(explained, { ...host, details: details ?? host.details })
      : reasonLines(host.waiting)),
  ];
};

const isDrained = ({ phase }: HostInBody): boolean => phase === 'emptying' || phase === 'releasing';

const reasonLines = (reason: WaitingInBody): string[] => {
  const { remaining_seconds: seconds } = reason;
  const how =
    seconds === null ? '' : `, ${isTurn(reason) ? `in about ${duration(seconds)}` : `${duration(seconds)} at most`}`;
  const [because, help] = [furtherReason(reason), helpForWait(reason)];
  return [
    `  waits for ${inWords(reason)}${how}`,
    ...(because === undefined ? [] : [`  because ${because}`]),
    ...(help === undefined ? [] : [`  what would help: ${asSeen(help, 'terminal')}`]),
  ];
};
