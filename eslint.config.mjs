import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';
import whoMayImportWhom from './dev/tools/who-may-import-whom.cjs';

const { mayImport, refusedImports } = whoMayImportWhom;

const nodeBuiltins = ['node:*', 'fs', 'path', 'crypto', 'child_process', 'http', 'https', 'net', 'os', 'process'];

/**
 * The imports from other folders that the files of a folder may not have, together with those that no file of it may
 * have.
 */
const importsOf = (folder, beside = []) =>
  refusedImports(folder).map(({ files, patterns }) => ({
    files,
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [...patterns, ...beside] }] },
  }));

const noEffects = {
  group: ['@temporalio/*', '@prisma/*', ...nodeBuiltins],
  message: 'decisions are pure: no I/O, no clock, no Temporal',
};
const deterministic = {
  group: ['@prisma/*', '@temporalio/client', '@temporalio/worker', ...nodeBuiltins],
  message: 'workflow code is deterministic: it calls activities',
};
const beside = {
  planning: [noEffects],
  expectations: [noEffects],
  questions: [noEffects],
  steering: [noEffects],
  requests: [noEffects],
  workflows: [deterministic],
  'plugins/workflows': [deterministic],
};

/** The folders of rules/planning/. Each may only import those before it. */
const planningLayers = ['fleet', 'limits', 'model', 'rolling', 'scale-in', 'drain-order', 'default', 'vnf'];
const layersOfPlanning = planningLayers.map((layer, level) => {
  const above = planningLayers.slice(level + 1).map((upper) => `../${upper}/*`);
  const onlyBelow = { group: ['../../*', ...above], message: 'no layer of planning imports one above it' };
  const door = 'order-of-hosts';
  const oneDoor = { regex: `^\\.\\./drain-order/(?!${door}$)`, message: `${door}.ts is the door of drain-order/` };
  return {
    files: [`planning/${layer}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [onlyBelow, oneDoor, noEffects] }] },
  };
});

/** Generators are declared, since no arrow function can be one. */
const noFunctionDeclarations = {
  selector: 'FunctionDeclaration[generator=false]',
  message: 'functions are constants: const answer = (question: Question): Answer => …',
};

/** Node's modules, packages, folders above, this folder: one block of imports. */
const sortedByPath = ['^\\u0000', '^node:', '^@?\\w', '^', '^\\.'];

export default tseslint.config(
  { ignores: ['dist/', 'production/', 'node_modules/', 'coverage/', '.parley/', 'page/client/openapi.d.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ['error', 10],
      'max-params': ['error', 3],
      'max-lines': ['error', { max: 300, skipComments: true, skipBlankLines: true }],
      'no-process-env': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        module: 'writable',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        AbortController: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
  {
    files: [
      '{activities,api,clouds,control,downloads,events,expectations,keystone,outbound,planning,plugins,prisma,questions,requests,snapshot,steering,webhooks,worker,workflows}/**/*.ts',
    ],
    ignores: ['**/main.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'settings are read in config/ only' },
      ],
    },
  },
  ...Object.keys(mayImport).flatMap((folder) => importsOf(folder, beside[folder])),
  ...layersOfPlanning,
  {
    files: ['**/*.{ts,tsx,mjs}'],
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      'no-restricted-syntax': ['error', noFunctionDeclarations],
      'simple-import-sort/imports': ['error', { groups: [sortedByPath] }],
    },
  },
  { files: ['test/**/*.ts'], rules: { 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off' } },
  prettier,
  // Prettier wraps code, and leaves comments as they are: those on lines of their own are held here.
  { rules: { 'max-len': ['error', { code: Infinity, comments: 120, ignoreUrls: true }] } },
);
