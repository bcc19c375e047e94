/** `parley events`: what has happened, and what happens. */
import type { Command } from 'commander';
import { type CommandTools, type CommonFlags, describe, findSessionId } from '../command-tools';
import { followEvents } from '../event-stream';
import { asOneOfMany } from '../output';
import { eventLine } from '../render/event';

interface EventFlags extends CommonFlags {
  readonly follow?: true;
  readonly session?: string;
  readonly project?: string;
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
      ['For a program: one JSON object a line', 'parley events -f -o json'],
    ],
  })
    .option('-f, --follow', 'from now on, until Ctrl-C')
    .option('-s, --session <session>', 'only of this session')
    .option('--project <id>', 'only of this project')
    .action((flags: EventFlags) => printEvents(tools, flags));
};

const printEvents = async ({ apiFor, console }: CommandTools, flags: EventFlags): Promise<void> => {
  const api = await apiFor(flags);
  const sessionId = flags.session === undefined ? undefined : await findSessionId(api, flags.session);
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
    if (sessionId !== undefined && event.envelope.payload['session_id'] !== sessionId) continue;
    console.out(asOneOfMany(flags.output, event.envelope) ?? `${eventLine(event)}\n`);
  }
  console.stop.throwIfAborted();
};
