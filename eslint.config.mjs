import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

/** Dependencies point inward (docs/design/architecture.md); what a folder must not import is an error. */
const forbid = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: patterns.map(([group, message]) => ({ group, message })) }] },
});
const nodeBuiltins = ['node:*', 'fs', 'path', 'crypto', 'child_process', 'http', 'https', 'net', 'os', 'process'];

/** The folders of planning/, each of which knows only those before it. */
const planningLayers = ['fleet', 'limits', 'questions', 'rolling', 'live', 'opening', 'vnf'];
const onlyPlanning = 'planning is pure: it imports nothing from outside its folder, and no layer one above it';
const noEffects = [['@temporalio/*', '@prisma/*', ...nodeBuiltins], 'planning is pure: no I/O, no clock, no Temporal'];

export default tseslint.config(
  { ignores: ['dist/', 'production/', 'node_modules/', 'coverage/', '.parley/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
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
      '{activities,api,clouds,control,downloads,events,keystone,planning,plugins,prisma,worker,workflows}/**/*.ts',
    ],
    ignores: ['**/main.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'settings are read in config/ only' },
      ],
    },
  },
  forbid(['planning/*.ts'], [['../*'], onlyPlanning], noEffects),
  ...planningLayers.map((layer, level) => {
    const above = planningLayers.slice(level + 1).map((upper) => `../${upper}/*`);
    return forbid([`planning/${layer}/**/*.ts`], [['../../*', ...above], onlyPlanning], noEffects);
  }),
  forbid(
    ['workflows/**/*.ts', 'plugins/workflows/**/*.ts'],
    [
      ['**/api/**', '**/prisma/**', '**/clouds/**', '**/events/**', '**/config/**', '**/cli/**'],
      'workflow code is deterministic: it calls activities',
    ],
    [['@prisma/*', '@temporalio/client', '@temporalio/worker', ...nodeBuiltins], 'workflow code is deterministic'],
  ),
  forbid(
    ['api/**/*.ts'],
    [['**/activities/**', '**/worker/**', '**/cli/**'], 'the API starts and signals workflows, nothing more'],
  ),
  forbid(
    ['activities/**/*.ts', 'clouds/**/*.ts', 'downloads/**/*.ts', 'events/**/*.ts', 'prisma/**/*.ts'],
    [['**/api/**', '**/worker/**', '**/cli/**'], 'dependencies point inward'],
  ),
  { files: ['test/**/*.ts'], rules: { 'max-lines': 'off', '@typescript-eslint/no-non-null-assertion': 'off' } },
  prettier,
  // Prettier wraps code, and leaves comments as they are: those on lines of their own are held here.
  { rules: { 'max-len': ['error', { code: Infinity, comments: 120, ignoreUrls: true }] } },
);
