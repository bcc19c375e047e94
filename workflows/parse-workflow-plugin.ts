/**
 * Checks that the exports of a package's module are a workflow plug-in. Refuses anything else in words for its author.
 */
import { isStateName, type StateHandler, type WorkflowPlugin } from '../plugins/workflows/workflow-plugin';
import { type BuiltInWorkflow, builtInWorkflows } from '../rules/decisions/both-workflows/built-in-workflow';

/**
 * @param name the name that the plug-in must have
 * @throws Error
 */
export const parseWorkflowPlugin = (exported: unknown, name: string): WorkflowPlugin => {
  const plugin = [exported, fieldsOf(exported)['default']].map(fieldsOf).find((fields) => 'states' in fields);
  if (plugin === undefined) throw new Error('its module exports no { name, states }');
  if (plugin['name'] !== name) throw new Error(`its module exports the name ${shown(plugin['name'])}, not "${name}"`);
  return { name, rolling: parseRolling(plugin['rolling']), states: parseStates(plugin['states']) };
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : `a ${typeof value}`);

const parseRolling = (value: unknown): BuiltInWorkflow => {
  if (value === undefined) return 'default';
  const rolling = builtInWorkflows.find((each) => each === value);
  if (rolling === undefined)
    throw new Error(`its rolling is ${shown(value)}, not one of ${builtInWorkflows.join(', ')}`);
  return rolling;
};

const parseStates = (value: unknown): WorkflowPlugin['states'] => {
  const handlers = Object.entries(fieldsOf(value));
  if (handlers.length === 0) throw new Error('its states are empty');
  const misnamed = handlers.map(([state]) => state).filter((state) => !isStateName(state));
  if (misnamed.length > 0) {
    const rule = "a state's name has at most 64 capitals and underscores, and is not one of the service's own";
    throw new Error(`it cannot have a state ${misnamed.map(shown).join(', ')}: ${rule}`);
  }
  return Object.fromEntries(handlers.map(([state, handler]) => [state, parseHandler(state, handler)]));
};

const parseHandler = (state: string, handler: unknown): StateHandler => {
  if (typeof handler !== 'function') throw new Error(`its state ${state} is ${shown(handler)}, not a function`);
  return handler as StateHandler;
};
