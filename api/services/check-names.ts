/** Checks the names in a create request: its workflow, the state to begin in, and its plug-ins must exist. */
import { parseMaintenanceAt } from '../../forms/parse-maintenance-at';
import { faultOfMetadata, namesOfPlugins } from '../../plugins/actions/registry';
import { script, scriptOf } from '../../plugins/actions/script';
import { isPluginName } from '../../plugins/downloads/package-contents';
import { startStates } from '../../plugins/workflows/registry';
import { isStateName } from '../../plugins/workflows/workflow-plugin';
import { nameOfHold } from '../../rules/holds/hold';
import { checkSteering, type SteeringToCheck } from '../parsing/check-steering';
import { steeringIn } from '../parsing/steering';
import type { FieldError } from '../problems/problem';
import type { CreateSessionBody } from '../schemas/session-schemas';

export interface KnownNames {
  /** Workflow plug-ins with the states in which a session may begin. */
  readonly workflows: ReadonlyMap<string, readonly string[]>;
  readonly actionPlugins: ReadonlySet<string>;
}

interface SettingsOfNames {
  readonly jobNamespace: string | undefined;
  readonly httpAllow: readonly unknown[];
}

/** The workflow and action plug-ins of this version, which create requests may name. */
export const builtInNames = ({ jobNamespace, httpAllow }: SettingsOfNames): KnownNames => ({
  workflows: startStates,
  actionPlugins: namesOfPlugins({ jobs: jobNamespace !== undefined, http: httpAllow.length > 0 }),
});

const listed = (names: Iterable<string>): string => [...names].join(', ');

const checkWorkflow = (
  { workflow, state, download = [] }: CreateSessionBody,
  { workflows }: KnownNames,
): FieldError[] => {
  const states = workflows.get(workflow);
  if (states === undefined) {
    // The packages may contain it: the session's set-up checks that.
    if (download.length > 0 && isPluginName(workflow)) return checkStateName(state);
    return [{ pointer: '/workflow', message: `is not a known workflow; known are ${listed(workflows.keys())}` }];
  }
  if (states.includes(state)) return [];
  return [{ pointer: '/state', message: `must be a state that ${workflow} can begin in: ${listed(states)}` }];
};

const checkStateName = (state: string): FieldError[] =>
  isStateName(state) ? [] : [{ pointer: '/state', message: 'must be a state that a workflow can begin in' }];

const checkActions = (
  { actions = [], download = [] }: CreateSessionBody,
  { actionPlugins }: KnownNames,
): FieldError[] =>
  actions.flatMap(({ plugin, type, metadata }, index) => {
    if (plugin === nameOfHold && (type === 'pre' || type === 'post')) return [notOnHost(index)];
    if (plugin === script.name) return checkScript({ index, metadata, hasPackages: download.length > 0 });
    if (actionPlugins.has(plugin)) return checkMetadata(plugin, { index, metadata });
    if (download.length > 0 && isPluginName(plugin)) return [];
    const message = `is not a known action plug-in; known are ${listed(actionPlugins)}`;
    return [{ pointer: `/actions/${index}/plugin`, message }];
  });

const notOnHost = (index: number): FieldError => ({
  pointer: `/actions/${index}/type`,
  message: 'must be host, compute or controller: hold waits for a person who works on a host',
});

interface ScriptAction {
  readonly index: number;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  readonly hasPackages: boolean;
}

const checkScript = ({ index, metadata = {}, hasPackages }: ScriptAction): FieldError[] => {
  const isNamed = scriptOf(metadata) !== undefined;
  const unnamed = {
    pointer: `/actions/${index}/metadata/script`,
    message: 'must name the executable to run, by its path within the package of actions',
  };
  const packages = {
    pointer: '/download',
    message: `must name the package that holds the script of /actions/${index}`,
  };
  return [...(isNamed ? [] : [unnamed]), ...(hasPackages ? [] : [packages])];
};

const checkMetadata = (plugin: string, { index, metadata = {} }: Omit<ScriptAction, 'hasPackages'>): FieldError[] => {
  const message = faultOfMetadata(plugin, metadata);
  return message === undefined ? [] : [{ pointer: `/actions/${index}/metadata`, message }];
};

const asNew = (body: CreateSessionBody, now: Date): SteeringToCheck => {
  const steering = steeringIn(body);
  const maintenanceAt = parseMaintenanceAt(body.maintenance_at) ?? now;
  return { workflow: body.workflow, rolling: null, steering, given: steering, begunAt: null, maintenanceAt, now };
};

/** All faults at once. @param now by the clock of the database */
export const checkNames = (body: CreateSessionBody, known: KnownNames, now: Date): FieldError[] => [
  ...checkWorkflow(body, known),
  ...checkActions(body, known),
  ...checkSteering(asNew(body, now), known),
];
