/** What a create request names must exist: its workflow, the state to begin in, its plug-ins. */
import type { FieldError } from '../problem';
import type { CreateSessionBody } from '../schemas/session-schemas';

export interface KnownNames {
  /** Workflow plug-ins with the states that a session may begin in. */
  readonly workflows: ReadonlyMap<string, readonly string[]>;
  readonly actionPlugins: ReadonlySet<string>;
}

const listed = (names: Iterable<string>): string => [...names].join(', ');

const checkWorkflow = ({ workflow, state }: CreateSessionBody, { workflows }: KnownNames): FieldError[] => {
  const states = workflows.get(workflow);
  if (states === undefined) {
    return [{ pointer: '/workflow', message: `is not a known workflow; known are ${listed(workflows.keys())}` }];
  }
  if (states.includes(state)) return [];
  return [{ pointer: '/state', message: `must be a state that ${workflow} can begin in: ${listed(states)}` }];
};

const checkActions = ({ actions = [] }: CreateSessionBody, { actionPlugins }: KnownNames): FieldError[] =>
  actions.flatMap(({ plugin }, index) =>
    actionPlugins.has(plugin)
      ? []
      : [
          {
            pointer: `/actions/${index}/plugin`,
            message: `is not a known action plug-in; known are ${listed(actionPlugins)}`,
          },
        ],
  );

const checkDownload = ({ download = [] }: CreateSessionBody): FieldError[] =>
  download.length === 0
    ? []
    : [
        {
          pointer: '/download',
          message:
            'must be empty: the setting PARLEY_DOWNLOAD_ALLOW, which allows URLs, is not available in this version',
        },
      ];

/** Everything wrong at once. */
export const checkNames = (body: CreateSessionBody, known: KnownNames): FieldError[] => [
  ...checkWorkflow(body, known),
  ...checkActions(body, known),
  ...checkDownload(body),
];
