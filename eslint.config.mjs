import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import simpleImportSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

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
      'max-lines-per-function': ['error', { max: 40, skipComments: true, skipBlankLines: true }],
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
    files: ['{activities,api,clouds,events,plugins,prisma,rules,temporal,worker,workflows}/**/*.ts'],
    ignores: ['**/main.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'settings are read in config/ only' },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    plugins: { 'simple-import-sort': simpleImportSort },
    rules: {
      'no-restricted-syntax': ['error', noFunctionDeclarations],
      'simple-import-sort/imports': ['error', { groups: [sortedByPath] }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  prettier,
  // Prettier wraps code, and leaves comments as they are: those on lines of their own are held here.
  { rules: { 'max-len': ['error', { code: Infinity, comments: 120, ignoreUrls: true }] } },
);
