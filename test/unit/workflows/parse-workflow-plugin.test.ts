/** The exports of a package's module that make a workflow plug-in, and the messages for its author otherwise. */
import { isStateName } from '../../../plugins/workflows/workflow-plugin';
import { parseWorkflowPlugin } from '../../../workflows/parse-workflow-plugin';

const handler = () => Promise.resolve('MAINTENANCE_DONE');
const states = { MAINTENANCE: handler, SOAKING: handler };

it.each([
  { what: 'as the module', exported: { name: 'own', states } },
  { what: 'as its default', exported: { default: { name: 'own', states } } },
])('takes { name, states } $what', ({ exported }) => {
  expect(parseWorkflowPlugin(exported, 'own')).toEqual({ name: 'own', rolling: 'default', states });
});

it('takes the way in which hosts are worked on', () => {
  expect(parseWorkflowPlugin({ name: 'own', rolling: 'vnf', states }, 'own').rolling).toBe('vnf');
});

it.each([
  { what: 'nothing', exported: {}, says: 'exports no { name, states }' },
  { what: 'undefined', exported: undefined, says: 'exports no { name, states }' },
  { what: 'a function', exported: handler, says: 'exports no { name, states }' },
  { what: 'another name', exported: { name: 'other', states }, says: 'exports the name "other", not "own"' },
  { what: 'no name', exported: { states }, says: 'exports the name a undefined, not "own"' },
  { what: 'no states', exported: { name: 'own', states: {} }, says: 'its states are empty' },
  { what: 'states that are none', exported: { name: 'own', states: 7 }, says: 'its states are empty' },
  {
    what: 'a state that is no function',
    exported: { name: 'own', states: { SOAKING: 'later' } },
    says: 'its state SOAKING is "later", not a function',
  },
  {
    what: "the service's own state",
    exported: { name: 'own', states: { ...states, MAINTENANCE_DONE: handler } },
    says: 'cannot have a state "MAINTENANCE_DONE"',
  },
  {
    what: 'a state that nobody can reply to',
    exported: { name: 'own', states: { 'soaking 2': handler } },
    says: 'cannot have a state "soaking 2"',
  },
  {
    what: 'a way of working on hosts that there is not',
    exported: { name: 'own', rolling: 'fast', states },
    says: 'its rolling is "fast", not one of default, vnf',
  },
])('refuses $what', ({ exported, says }) => {
  expect(() => parseWorkflowPlugin(exported, 'own')).toThrow(says);
});

it.each(['SOAKING', 'MAINTENANCE', 'A', 'A'.repeat(64)])('%s may be a state', (name) => {
  expect(isStateName(name)).toBe(true);
});

it.each(['', 'soaking', 'SOAKING 2', '_A', 'A'.repeat(65), 'MAINTENANCE_FAILED', 'IN_MAINTENANCE'])(
  '%j may be no state',
  (name) => {
    expect(isStateName(name)).toBe(false);
  },
);
