/**
 * The modules that a package's modules reach: each other, and those that they are given by name. Nothing runs while it
 * is bundled.
 */
import { createContext, runInContext } from 'node:vm';
import { withPackage } from '../../../worker/package-bundle';
import { loadModule, type ModuleFunction } from '../../../workflows/package-modules';

type Texts = Readonly<Record<string, string>>;

const ownMap = { version: 3, file: 'own.js', sources: ['own.ts'], names: [], mappings: 'AAAA' };
const encoded = (map: object) => Buffer.from(JSON.stringify(map)).toString('base64');
const own = `var own = true;\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${encoded(ownMap)}`;

const bundle = (texts: Texts): string =>
  withPackage(own, { entry: 'main.js', files: Object.entries(texts).map(([path, text]) => ({ path, text })) });

interface PackageInBundle {
  readonly entry: string;
  readonly files: readonly (readonly [string, ModuleFunction])[];
}

const load = (texts: Texts, given: Readonly<Record<string, unknown>> = {}): unknown => {
  const context = createContext({});
  runInContext(bundle(texts), context);
  const { entry, files } = (context as { parleyPackage: PackageInBundle }).parleyPackage;
  return loadModule({ files: new Map(files), given }, entry);
};

it.each([
  { what: 'a file beside it', request: './other.js', path: 'other.js' },
  { what: 'a file without its ending', request: './other', path: 'other.cjs' },
  { what: 'a file below', request: './lib/deep/other', path: 'lib/deep/other.js' },
  { what: 'the index of a folder', request: './lib', path: 'lib/index.js' },
  { what: 'JSON', request: './other', path: 'other.json', text: '{ "word": "found" }' },
  { what: 'a file whose name is a property of objects', request: './__proto__.js', path: '__proto__.js' },
  {
    what: 'a file that ends in a comment',
    request: './other',
    path: 'other.js',
    text: 'exports.word = "found"; // end',
  },
])('a module requires $what', ({ request, path, text = 'exports.word = "found";' }) => {
  const main = `module.exports = require(${JSON.stringify(request)}).word;`;
  expect(load({ 'main.js': main, [path]: text })).toBe('found');
});

it('a module deep in the package requires one above it, and each runs once', () => {
  const texts = {
    'main.js': "module.exports = [require('./lib/deep/one'), require('./count').next()];",
    'lib/deep/one.js': "module.exports = require('../../count').next();",
    'count.js': 'let count = 0; exports.next = () => (count += 1);',
  };
  expect(load(texts)).toEqual([1, 2]);
});

it('modules that require each other see what is exported so far', () => {
  const texts = {
    'main.js': "exports.first = 1; exports.other = require('./other').seen;",
    'other.js': "exports.seen = require('./main').first;",
  };
  expect(load(texts)).toEqual({ first: 1, other: 1 });
});

it('a module gets what it is given by name', () => {
  expect(load({ 'main.js': "module.exports = require('parley').word;" }, { parley: { word: 'given' } })).toBe('given');
});

it.each([
  '../main.js',
  '../../../../../../etc/passwd',
  './lib/../../main.js',
  '/etc/passwd',
  'file:///etc/passwd',
  'fs',
  'node:fs',
  'express',
  '@temporalio/client',
  '../../node_modules/express',
  '!!raw-loader!./main.js',
  '!./main.js!./main.js',
  'data:text/javascript,1',
  './absent',
  '',
  'toString',
  '__proto__',
])('a module cannot require %j', (request) => {
  const require = `module.exports = require(${JSON.stringify(request)});`;
  expect(() => load({ 'lib/main.js': '', 'main.js': require }, { parley: {} })).toThrow(
    `workflow/main.js requires ${JSON.stringify(request)}, which is neither a file of the package's workflow folder`,
  );
});

it.each([
  { what: 'a syntax error', path: 'other.js', text: 'const a = 1;\nconst = 2;', says: 'workflow/other.js:2' },
  { what: 'an ES module', path: 'other.js', text: 'import a from "./main.js";', says: 'are CommonJS' },
  { what: 'text that closes its function', path: 'other.js', text: '}, () => {', says: 'workflow/other.js:1' },
  { what: 'JSON that is none', path: 'other.json', text: '{', says: 'workflow/other.json' },
])('$what fails only those who require it', ({ path, text, says }) => {
  expect(load({ 'main.js': 'module.exports = 1;', [path]: text })).toBe(1);
  expect(() => load({ 'main.js': "require('./other');", [path]: text })).toThrow(says);
});

it('runs nothing of a package before it is required', () => {
  const context = createContext({});
  runInContext(bundle({ 'main.js': 'globalThis.hasRun = true;' }), context);
  expect(context).not.toHaveProperty('hasRun');
});

it("maps the lines of a bundle to the service's own and to the package's files", () => {
  const texts = { 'a.js': '1;\n2;\n//# sourceMappingURL=data:application/json;base64,e30=', 'main.js': 'throw 1;' };
  const text = bundle(texts);
  const map = JSON.parse(Buffer.from(text.slice(text.lastIndexOf('base64,') + 7), 'base64').toString()) as {
    readonly sections: readonly {
      readonly offset: { readonly line: number };
      readonly map: { readonly sources: readonly string[]; readonly mappings: string };
    }[];
  };
  const lines = text.split('\n');
  const [engine, ...files] = map.sections;
  expect(engine?.map).toEqual(ownMap);
  expect(files.map((section) => section.map.sources)).toEqual([['workflow/a.js'], ['workflow/main.js']]);
  expect(files.map(({ offset }) => lines[offset.line])).toEqual(['1;', 'throw 1;']);
  expect(files.map((section) => section.map.mappings.split(';').length)).toEqual([3, 1]);
});
