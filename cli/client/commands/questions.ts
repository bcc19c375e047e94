/** Commands of tenants: the questions that wait for an answer, and the answer. */
import type { Command } from 'commander';
import type { QuestionBody } from '../../../api/schemas/question-schemas';
import type { ReplyNoteBody } from '../../../api/schemas/reply-schemas';
import { nameOr } from '../../../rules/words/names';
import { questionInWords } from '../../../rules/words/questions';
import { clockOf, left, shortId } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, describe, findSessionId, theOneNamed } from '../command-tools';
import { usageFailure } from '../exit';
import { noticesOf, show } from '../output';
import { type Column, tableOf } from '../render/table';

const columns: Column<QuestionBody>[] = [
  { title: 'ID', cell: ({ question_id: id }) => shortId(id) },
  { title: 'SESSION', cell: ({ session_id: id }) => shortId(id) },
  { title: 'PROJECT', cell: ({ project_id: id, project_name: name }) => nameOr(id, name), mayGo: true },
  { title: 'PROJECT-ID', cell: ({ project_id: id }) => id, wide: true },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'ABOUT', cell: questionInWords, breaks: 'at words' },
  { title: 'ACTIONS', cell: ({ allowed_actions: actions }) => actions.join(','), mayGo: true },
  // Its window has ended, and the service has not gone on yet.
  {
    title: 'LEFT',
    cell: ({ seconds_left: seconds, reply_at: at }) => (at !== null && seconds === null ? 'over' : left(seconds)),
  },
];

/** How questions ended, with those that are open. */
const settledColumns: Column<QuestionBody>[] = [
  ...columns.filter(({ title }) => !['SESSION', 'ACTIONS', 'LEFT'].includes(title)),
  { title: 'ANSWER', cell: ({ settled }) => (settled ? (settled.answer ?? 'none') : 'open') },
  { title: 'BY', cell: ({ settled }) => settled?.who ?? settled?.by ?? '-' },
  { title: 'AT', cell: ({ settled }) => (settled?.at ? clockOf(settled.at) : '-') },
];

interface QuestionFlags extends CommonFlags {
  readonly project?: string;
  readonly all?: boolean;
}

export const addTenantCommands = (program: Command, tools: CommandTools): void => {
  addQuestions(program, tools);
  addReply(program, tools);
};

const addQuestions = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    usage: 'questions [session]',
    summary: 'list the questions that wait for an answer: a project sees its own',
    examples: [
      ['What am I asked?', 'parley questions'],
      ['Who answered what in a session?', 'parley questions --all 47479bca'],
      ['As an admin, of one project', 'parley questions --project 39494a5d9f424b3bb7d91d1bd2a1a1b0'],
    ],
  })
    .option('--project <id>', 'only of this project')
    .option('--all', 'all of a session: also those that are answered or over, with who answered, and when')
    .action(async (session: string | undefined, { project: projectId, all = false, ...flags }: QuestionFlags) => {
      const api = await apiFor(flags);
      if (session !== undefined && !all) throw usageFailure('SESSION goes with --all');
      const sessionId = all ? await findSessionId(api, session) : undefined;
      const [questions, problems] = await Promise.all([api.questions({ projectId, sessionId }), api.problems()]);
      show(console, flags.output, {
        notices: noticesOf(problems),
        object: questions,
        names: questions.map(({ question_id: id }) => `question/${id}`),
        lines: (look) =>
          questions.length === 0 ? ['Nothing is asked.'] : tableOf(all ? settledColumns : columns, questions, look),
      });
    });
};

interface ReplyFlags extends CommonFlags {
  readonly action?: readonly string[];
  readonly notBefore?: string;
}

const answers = ['ack', 'nack'] as const;

const addReply = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    isChange: true,
    usage: 'reply <question> <answer>',
    summary: 'answer a question: ack to agree, nack to refuse for now',
    about:
      'QUESTION is the beginning of its ID. --action chooses how instances go: ACTION for all that are asked about, ' +
      'or INSTANCE=ACTION; the default behaviour holds for the others. --not-before puts the work off, where the session ' +
      'has postpone.',
    examples: [
      ['Agree, and leave the action to the service', 'parley reply ab64a3a4 ack'],
      ['Agree to migrate all of them', 'parley reply ab64a3a4 ack --action MIGRATE'],
      ['Agree, and put all of them off', 'parley reply ab64a3a4 ack --not-before 2026-12-05T22:00:00Z'],
      ['Refuse for now', 'parley reply ab64a3a4 nack'],
    ],
  })
    .option('--action <action...>', 'ACTION or INSTANCE=ACTION')
    .option('--not-before <time>', 'the instances are not to be impacted before this time; UTC where it has no zone')
    .action(async (given: string, answer: string, flags: ReplyFlags) => {
      if (!answers.some((one) => one === answer)) throw usageFailure(`answer ack or nack, not ${answer}`);
      const api = await apiFor(flags);
      const question = theQuestion(await api.questions(), given);
      const { action = [], notBefore } = flags;
      const body = {
        ...replyBody(question, answer.toUpperCase(), action),
        ...(notBefore !== undefined && { not_before: notBefore }),
      };
      // The address of the client counts: the reply_url may be one that only managers reach.
      const path = new URL(question.reply_url).pathname.replace(/^.*\/v1\//, '/');
      const note = await api.client.send<ReplyNoteBody | undefined>('PUT', path, { body });
      show(console, flags.output, {
        object: body,
        names: [`question/${question.question_id}`],
        notices: note === undefined ? [] : [`Note: ${note.warning}`],
        lines: () => [`question/${shortId(question.question_id)} answered: ${body.state}`],
      });
    });
};

const theQuestion = (questions: readonly QuestionBody[], given: string): QuestionBody => {
  const help = 'its window may have ended, or it was answered; parley questions lists those that are open';
  return theOneNamed(given, { kind: 'question', things: questions, idOf: ({ question_id: id }) => id, help });
};

export const replyBody = (
  { state, instance_id: instance, instance_ids: ids }: QuestionBody,
  answer: string,
  actions: readonly string[],
) => {
  const chosen = Object.fromEntries(
    actions.flatMap((text): [string, string][] => {
      const at = text.indexOf('=');
      return at < 0 ? ids.map((id) => [id, text]) : [[text.slice(0, at), text.slice(at + 1)]];
    }),
  );
  const reply = { state: `${answer}_${state}` };
  if (instance === null) return { ...reply, instance_actions: chosen };
  return { ...reply, ...(chosen[instance] !== undefined && { instance_action: chosen[instance] }) };
};
