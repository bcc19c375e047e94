/** `parley explain`: why a host or an instance waits, who can end the wait, how long it may last, and what helps. */
import type { Command } from 'commander';
import type { SessionDetailBody } from '../../../api/schemas/session-schemas';
import { blocker, kindOfLeftBehind } from '../../../rules/obstacles/blockers';
import { helpForWait, waitInWords } from '../../../rules/obstacles/waits';
import { keyOf } from '../../../rules/planning/fleet/id';
import { ageOf, count, duration } from '../../../rules/words/times';
import type { Api } from '../api';
import { type CommonFlags, describe, type Desk, findSessionId } from '../desk';
import { CommandFailure, exitCodes } from '../exit';
import { noticesOf, show } from '../output';
import { printable } from '../render/terminal-text';
import { showSummary } from './sessions';

export const addExplainCommand = (program: Command, { apiFor, console }: Desk): void => {
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
    .option('-s, --session <session>', 'the session; else the one that is not over')
    .action(async (thing: string | undefined, flags: CommonFlags & { readonly session?: string }) => {
      const api = await apiFor(flags);
      const named = flags.session === undefined ? await sessionNamed(api, thing) : undefined;
      const id = named ?? (await findSessionId(api, flags.session));
      if (thing === undefined || named !== undefined) {
        await showSummary({ console, api, output: flags.output }, id);
        return;
      }
      const name = thing.replace(/^host\//, '');
      const [narrowed, problems] = await Promise.all([api.detail(id, { host: name }), api.problems()]);
      const detail = narrowed.hosts.length > 0 ? narrowed : await api.detail(id);
      const lines = explain(detail, name);
      if (lines === undefined) {
        throw new CommandFailure(`session ${id} has no host and no instance ${name}`, exitCodes.failed, [
          'parley show --hosts lists its hosts',
        ]);
      }
      show(console, flags.output, {
        notices: noticesOf(problems),
        object: detail,
        names: [`host/${name}`],
        lines: () => lines,
      });
    });
};

/** At least as many characters as name a session. */
const likeSessionId = /^[0-9a-f-]{4,36}$/i;

/** Other commands take a session in this place. Undefined: it is no session, though it looks like the ID of one. */
const sessionNamed = async (api: Api, thing: string | undefined): Promise<string | undefined> => {
  if (thing?.startsWith('session/') === true) return findSessionId(api, thing);
  if (thing === undefined || !likeSessionId.test(thing)) return undefined;
  const beginning = keyOf(thing);
  const found = (await api.sessions()).filter(({ session_id: id }) => keyOf(id).startsWith(beginning));
  return found.length === 1 ? found[0]?.session_id : undefined;
};

type WaitingInBody = SessionDetailBody['session']['waiting'][number];

export const explain = (detail: SessionDetailBody, thing: string): string[] | undefined => {
  const host = detail.hosts.find(({ hostname }) => hostname === thing);
  if (host !== undefined) return explainHost(detail, host).map(printable);
  const instance = detail.instances.find((one) => one.instance_id === thing || one.instance_name === thing);
  return instance && explainInstance(detail, instance).map(printable);
};

type HostInBody = SessionDetailBody['hosts'][number];

const explainHost = (detail: SessionDetailBody, host: HostInBody): string[] => {
  const { hostname, phase, phase_since: since, waiting, details } = host;
  const there = detail.instances.filter((one) => one.host === hostname && one.state !== 'DELETED');
  return [
    `host ${hostname} is ${phase} for ${ageOf(since, Date.now())}, with ${count(there.length, 'instance')} on it`,
    ...(details === '' ? [] : [`  ${details}`]),
    ...(waiting === null ? withoutReason(detail, host) : reasonLines(waiting)),
    ...there.filter((instance) => !waitsForItsHost(detail, instance)).flatMap((one) => explainInstance(detail, one)),
    ...turnsOf(there.filter((instance) => waitsForItsHost(detail, instance)).length),
  ];
};

const withoutReason = ({ session }: SessionDetailBody, { hostname, phase }: HostInBody): string[] => {
  const kind = kindOfLeftBehind(phase);
  if (kind === undefined) return ['  it waits for nothing'];
  const { help } = blocker(kind, { hostname, phase, sessionState: session.state, why: '' });
  return [`  what would help: ${help}`];
};

type InstanceInBody = SessionDetailBody['instances'][number];

/** Its host has said why. */
const waitsForItsHost = ({ session }: SessionDetailBody, { instance_id: id, host }: InstanceInBody): boolean =>
  session.waiting.some(({ who, waiting_for: kind, subject }) => who === id && kind === 'host' && subject === host);

const turnsOf = (instances: number): string[] =>
  instances === 0 ? [] : [`${count(instances, 'instance')} on it will be moved when its turn comes`];

const explainInstance = (
  { session }: SessionDetailBody,
  { instance_id: id, instance_name: name, host, action, project_state: answer }: InstanceInBody,
): string[] => {
  const reason = session.waiting.find(({ who }) => who === id);
  const facts = [action ?? '', answer].filter((one) => one !== '').join(', ');
  return [
    `instance ${name} (${id}) on ${host}${facts === '' ? '' : `: ${facts}`}`,
    ...(reason === undefined ? ['  it waits for nothing: it moves, or is done'] : reasonLines(reason)),
  ];
};

const reasonLines = (reason: WaitingInBody): string[] => {
  const { remaining_seconds: seconds, because } = reason;
  const how = seconds === null ? '' : `, ${duration(seconds)} at most`;
  const help = helpForWait(reason);
  return [
    `  waits for ${waitInWords(reason)}${how}`,
    ...(because === undefined ? [] : [`  because ${because}`]),
    ...(help === undefined ? [] : [`  what would help: ${help}`]),
  ];
};
