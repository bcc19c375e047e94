/** `parley events`: what has happened, and what happens. */
import type { Command } from 'commander';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { followEvents, type ReceivedEvent } from '../event-stream';
import { asOneOfMany } from '../output';
import { eventLine } from '../render/event';
import { sinceTime } from '../since';

interface EventFlags extends CommonFlags {
  readonly follow?: true;
  readonly session?: string;
  readonly project?: string;
  readonly since?: string;
}

/** The quiet time after which all events have come, without -f. */
const idleMs = 1_000;

export const addEventCommand = (program: Command, tools: CommandTools): void => {
  describe(program, {
    usage: 'events',
    summary: 'print the events of sessions, one a line',
    about: 'An admin sees all events, a project its own. A stream that breaks continues where it was.',
    examples: [
      ['What happens from now on', 'parley events -f'],
      ['What has happened in one session', 'parley events -s 47479bca'],
      ['What has happened in the last hour', 'parley events --since 1h'],
      ['For a program: one JSON object a line', 'parley events -f -o json'],
    ],
  })
    .option('-f, --follow', 'from now on, until Ctrl-C')
    .option('-s, --session <session>', 'only of this session')
    .option('--project <id>', 'only of this project')
    .option('--since <time>', 'only from then on: 30m, 1h, 7d, or a time')
    .action((flags: EventFlags) => printEvents(tools, flags));
};

const meantBy = (sessionId: string | undefined, given: string | undefined) => {
  const since = given === undefined ? undefined : sinceTime(given, Date.now());
  return ({ envelope: { payload, timestamp } }: ReceivedEvent): boolean =>
    (sessionId === undefined || payload['session_id'] === sessionId) &&
    (since === undefined || new Date(timestamp) >= since);
};

const printEvents = async ({ apiFor, console }: CommandTools, flags: EventFlags): Promise<void> => {
  const api = await apiFor(flags);
  const sessionId = flags.session === undefined ? undefined : await findSessionId(api, flags.session);
  const isMeant = meantBy(sessionId, flags.since);
  const idle = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stopWhenIdle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => idle.abort(), idleMs);
  };
  const signal = AbortSignal.any([console.stop, idle.signal]);
  const { project: projectId } = flags;
  const following = {
    ...(flags.follow
      ? { from: 'now' as const, mustOpen: 'at first' as const }
      : { onOpen: stopWhenIdle, mustOpen: 'always' as const }),
    ...(projectId !== undefined && { projectId }),
    onCut: () => {
      clearTimeout(timer);
      console.err('the stream was cut; it is opened again as soon as the API answers\n');
    },
  };
  for await (const event of followEvents(api.client, { ...following, signal })) {
    timer?.refresh();
    if (!isMeant(event)) continue;
    console.out(asOneOfMany(flags.output, event.envelope) ?? `${eventLine(event)}\n`);
  }
  console.stop.throwIfAborted();
};
