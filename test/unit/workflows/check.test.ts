/**
 * What the check of a package's workflow tells its author, on the bundle that the worker makes of the package. That a
 * session fails with it, in a sandbox of its own, is shown by test/integration/sessions/workflow-packages.test.ts.
 */
import { createContext, runInContext } from 'node:vm';
import { withPackage } from '../../../worker/package-bundle';
import { checkWorkflow } from '../../../workflows/check';

const ownMap = Buffer.from(JSON.stringify({ version: 3, file: 'own.js', sources: [], names: [], mappings: '' }));
const own = `var own = true;\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${ownMap.toString('base64')}`;

/** Checks the workflow `own`, whose package holds this one file. */
const check = (text: string) => {
  const context: { parleyPackage?: typeof globalThis.parleyPackage } = {};
  runInContext(withPackage(own, { entry: 'own.js', files: [{ path: 'own.js', text }] }), createContext(context));
  globalThis.parleyPackage = context.parleyPackage;
  return checkWorkflow({ workflow: 'own' });
};

afterEach(() => {
  globalThis.parleyPackage = undefined;
});

const noState = "exports.name = 'own'; exports.states = { MAINTENANCE() { return 'MAINTENANCE_DONE'; } };";

it('fits with its states', async () => {
  expect(await check(noState)).toEqual({ kind: 'fits', states: ['MAINTENANCE'], rolling: 'default' });
});

it('fits with the states of a workflow that it is given', async () => {
  const text = `const { vnfWorkflow } = require('parley');
exports.name = 'own';
exports.rolling = 'vnf';
exports.states = { ...vnfWorkflow.states, TRYING() {} };`;
  const checked = await check(text);
  expect(checked).toMatchObject({ kind: 'fits', rolling: 'vnf' });
  expect(checked).toHaveProperty('states', expect.arrayContaining(['PLANNED_MAINTENANCE', 'TRYING']));
});

it.each([
  { what: 'has a syntax error', text: 'const = 1;', says: 'workflow/own.js:1: Unexpected token' },
  { what: 'is an ES module', text: 'export default {};', says: 'modules are CommonJS' },
  { what: 'throws when it is loaded', text: "throw new TypeError('oh no');", says: 'TypeError: oh no' },
  { what: 'exports nothing', text: 'exports.other = 1;', says: 'exports no { name, states }' },
  { what: 'has another name', text: noState.replace("'own'", "'other'"), says: 'the name "other"' },
  {
    what: 'has a state that is no function',
    text: "exports.name = 'own'; exports.states = { MAINTENANCE: 'later' };",
    says: 'its state MAINTENANCE is "later", not a function',
  },
  {
    what: 'leaves its package',
    text: "require('../../../../../../../../etc/hostname');",
    says: 'is neither a file of the package',
  },
  { what: 'wants a module of Node.js', text: "require('fs');", says: 'requires "fs"' },
])('a module that $what is unfit, and its author is told', async ({ text, says }) => {
  expect(await check(text)).toEqual({ kind: 'unfit', because: expect.stringContaining(says) as string });
});
