/** `parley terms`: what a project answers without a manager. */
import type { Command } from 'commander';
import type { TermsPreviewBody } from '../../../api/schemas/terms-schemas';
import type { ProjectTermsBody } from '../../../forms/terms-schema';
import type { WindowBody } from '../../../forms/window-schema';
import { clockOf, shortId } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, confirmByName, describe } from '../command-tools';
import type { Console } from '../console';
import { usageFailure } from '../exit';
import { dictionaryIn, fieldsIn, readInputFile } from '../input-file';
import { done, show } from '../output';
import { type Column, tableOf } from '../render/table';

export const addTermsCommands = (program: Command, tools: CommandTools): void => {
  const terms = program.command('terms').description('what a project answers without a manager');
  addGet(terms, tools);
  addTold(terms, tools);
  addSet(terms, tools);
  addPreview(terms, tools);
  addDelete(terms, tools);
};

/** As in `sat,sun 22:00-06:00 Europe/Berlin`. */
const hoursInWords = ({ days, nth = [], dates, except = [], from, to, time_zone: zone }: WindowBody): string =>
  [
    ...(nth.length > 0 ? [`number ${nth.join(',')} of the month of`] : []),
    (days ?? dates ?? []).join(','),
    from === undefined ? 'all day' : `${from}-${to ?? ''}`,
    zone,
    ...(except.length > 0 ? [`except ${except.join(',')}`] : []),
  ].join(' ');

const linesOf = (terms: ProjectTermsBody): readonly string[] => [
  ...(terms.hours ?? []).map((hours) => `hours    ${hoursInWords(hours)}`),
  ...(terms.notice_seconds === undefined ? [] : [`notice   ${terms.notice_seconds} s`]),
  ...answerLinesOf(terms),
];

const answerLinesOf = ({ ask, answers = {}, contact }: ProjectTermsBody): readonly string[] => [
  ...(ask === undefined ? [] : [`ask      ${ask}`]),
  ...(contact === undefined ? [] : [`contact  ${contact}`]),
  ...Object.entries(answers).map(
    ([state, answer]) => `${state}: ${typeof answer === 'string' ? answer : answer.action}`,
  ),
];

const addGet = (terms: Command, { apiFor, console }: CommandTools): void => {
  describe(terms, {
    usage: 'get <project>',
    summary: 'show the terms of a project',
    examples: [['Into a file for set', 'parley terms get 47479bca -o yaml >terms.yaml']],
  }).action(async (project: string, flags: CommonFlags) => {
    const found = await (await apiFor(flags)).terms(project);
    show(console, flags.output, { object: found, names: [`terms/${project}`], lines: () => linesOf(found) });
  });
};

const addTold = (terms: Command, { apiFor, console }: CommandTools): void => {
  describe(terms, {
    usage: 'told <project>',
    summary: 'show the terms that a project tells the cloud of itself',
    about: 'On Kubernetes by an annotation of its namespace. Each field counts before that of the stored terms.',
    examples: [['What the namespace says', 'parley terms told 47479bca']],
  }).action(async (project: string, flags: CommonFlags) => {
    const found = await (await apiFor(flags)).toldTerms(project);
    show(console, flags.output, { object: found, names: [`terms/${project}`], lines: () => linesOf(found) });
  });
};

interface SetTermsFlags extends CommonFlags {
  readonly file?: string;
}

const addSet = (terms: Command, { apiFor, console }: CommandTools): void => {
  describe(terms, {
    isChange: true,
    usage: 'set <project> [fields...]',
    summary: 'store the terms of a project, in place of those before',
    about: 'Give the fields as FIELD=VALUE, in YAML, or the whole terms as a file (docs/terms.md).',
    examples: [
      [
        'Nobody waits for this project',
        "parley terms set 47479bca ask=never 'answers={MAINTENANCE: ACK, PLANNED_MAINTENANCE: {action: LIVE_MIGRATE}}'",
      ],
      ['From a file', 'parley terms set 47479bca -f terms.yaml'],
    ],
  })
    .option('-f, --file <file>', 'YAML or JSON; -: standard input')
    .action(async (project: string, fields: readonly string[], { file, ...flags }: SetTermsFlags) => {
      const given = await givenTerms(console, fields, file);
      const stored = await (await apiFor(flags)).setTerms(project, given);
      show(console, flags.output, done(`terms/${project}`, 'stored', { object: stored }));
    });
};

const givenTerms = async (console: Console, fields: readonly string[], file?: string): Promise<ProjectTermsBody> => {
  if (file === undefined && fields.length === 0) throw usageFailure('give the terms, as FIELD=VALUE or by -f FILE');
  const inFile = file === undefined ? {} : dictionaryIn(await readInputFile(console, file), file);
  // The service says what is wrong with them.
  return { ...inFile, ...fieldsIn(fields) };
};

type SessionInPreview = TermsPreviewBody['sessions'][number];

const endIn = (end: SessionInPreview['ends_at']): string => (end === null ? 'does not end' : clockOf(end.expected));

const previewColumns: Column<SessionInPreview>[] = [
  { title: 'SESSION', cell: ({ session_id: id }) => shortId(id) },
  { title: 'ENDS', cell: ({ ends_at: end }) => endIn(end) },
  { title: 'WITH-TERMS', cell: ({ ends_at_with_terms: end }) => endIn(end) },
  { title: 'REASON', cell: ({ reason }) => reason ?? '-', breaks: 'at words', mayGo: true },
];

const addPreview = (terms: Command, { apiFor, console }: CommandTools): void => {
  describe(terms, {
    usage: 'preview <project> [fields...]',
    summary: 'show when sessions would end with such terms, and store nothing',
    examples: [
      ['Nobody waits for this project', "parley terms preview 47479bca ask=never 'answers={MAINTENANCE: ACK}'"],
    ],
  })
    .option('-f, --file <file>', 'YAML or JSON; -: standard input')
    .action(async (project: string, fields: readonly string[], { file, ...flags }: SetTermsFlags) => {
      const given = await givenTerms(console, fields, file);
      const preview = await (await apiFor(flags)).previewTerms(project, given);
      const { sessions } = preview;
      show(console, flags.output, {
        object: preview,
        names: sessions.map(({ session_id: id }) => `session/${id}`),
        lines: (look) =>
          sessions.length === 0 ? ['No session is to impact this project.'] : tableOf(previewColumns, sessions, look),
      });
    });
};

const addDelete = (terms: Command, tools: CommandTools): void => {
  const { apiFor, console } = tools;
  describe(terms, {
    isChange: true,
    usage: 'delete <project>',
    summary: 'delete the terms of a project, which is waited for again',
    examples: [['By its ID', 'parley terms delete 47479bca']],
  })
    .option('-y, --yes', 'do not ask')
    .action(async (project: string, flags: CommonFlags & { readonly yes?: boolean }) => {
      const api = await apiFor(flags);
      await confirmByName(tools, {
        what: `delete the terms of project ${project}`,
        name: project,
        yes: flags.yes === true,
      });
      await api.removeTerms(project);
      show(console, flags.output, done(`terms/${project}`, 'deleted', { object: { project_id: project } }));
    });
};
