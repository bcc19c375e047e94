/**
 * The bundle of a session with its own workflow: the service's workflows, followed by the package's files as functions
 * that only workflows/package-modules.ts calls. Nothing of a package is run or resolved while a bundle is made, so no
 * path, loader or source map in it can reach outside the package.
 */
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { compileFunction } from 'node:vm';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { errorMessage } from '../plugins/addresses/error-facts';
import type { WorkflowFile } from '../plugins/downloads/workflow-files';

export interface WorkflowPackage {
  /** The module of the workflow: the path of one of the files. */
  readonly entry: string;
  readonly files: readonly WorkflowFile[];
}

/** The code of a bundle that Temporal's bundler made. */
export const codeOf = (bundle: WorkflowBundleOption): Promise<string> =>
  'code' in bundle ? Promise.resolve(bundle.code) : readFile(bundle.codePath, 'utf8');

/** @param own code of the service's own bundle */
export const withPackage = (own: string, { entry, files }: WorkflowPackage): string => {
  const { code, sourceMap } = splitSourceMap(own);
  const functions = files.map((file) => ({ file, text: functionOf(file) }));
  const firstLines = `${code}\nglobalThis.parleyPackage = { entry: ${JSON.stringify(entry)}, files: [`;
  const text = [firstLines, ...functions.map((one) => one.text), ']};'].join('\n');
  const sections = [
    { offset: { line: 0, column: 0 }, map: sourceMap },
    ...sectionsOf(functions, lineCount(firstLines)),
  ];
  const map = { version: 3, file: sourceMap.file, sections };
  return `${text}\n${marker}base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
};

// Modules

const parameters = ['module', 'exports', 'require'];

/** A file that is not JavaScript, or is an ES module, fails when it is required. The other files may not need it. */
const functionOf = (file: WorkflowFile): string => {
  const name = JSON.stringify(file.path);
  const problem = file.path.endsWith('.json') ? whyNoJson(file) : whyNoScript(file);
  if (problem !== undefined) return `[${name}, () => {\nthrow new SyntaxError(${JSON.stringify(problem)});\n}],`;
  const body = file.path.endsWith('.json') ? `module.exports = JSON.parse(${JSON.stringify(file.text)});` : file.text;
  return `[${name}, function (${parameters.join(', ')}) {\n${body}\n}],`;
};

const whyNoScript = ({ path, text }: WorkflowFile): string | undefined => {
  try {
    compileFunction(text, parameters, { filename: `workflow/${path}` });
    return undefined;
  } catch (error) {
    return `${placeOf(error) ?? `workflow/${path}`}: ${errorMessage(error)} (a workflow's modules are CommonJS)`;
  }
};

const whyNoJson = ({ path, text }: WorkflowFile): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `workflow/${path}: ${errorMessage(error)}`;
  }
};

/** The file and line with which Node.js begins the stack of a syntax error. */
const placeOf = (error: unknown): string | undefined => {
  const hasStack = typeof error === 'object' && error !== null && 'stack' in error && typeof error.stack === 'string';
  return hasStack ? /^workflow\/.*:\d+$/m.exec(String(error.stack))?.[0] : undefined;
};

// Source maps: failures in Temporal Web UI name the package's own files and lines

const marker = '//# sourceMappingURL=data:application/json;charset=utf-8;';

const lineCount = (text: string): number => text.split('\n').length;

interface SourceMap {
  readonly file: string;
}

const splitSourceMap = (own: string): { readonly code: string; readonly sourceMap: SourceMap } => {
  const at = own.lastIndexOf('//# sourceMappingURL=data:');
  const encoded = own.slice(own.indexOf('base64,', at) + 'base64,'.length);
  // Temporal's bundler has written it.
  const sourceMap = JSON.parse(Buffer.from(encoded, 'base64').toString()) as SourceMap;
  return { code: own.slice(0, at), sourceMap };
};

interface FunctionText {
  readonly file: WorkflowFile;
  readonly text: string;
}

/** The line numbers within a function's body are those of the package's file. */
const sectionsOf = (functions: readonly FunctionText[], startLine: number) => {
  let line = startLine;
  return functions.map(({ file, text }) => {
    const offset = { line: line + 1, column: 0 };
    const bodyLines = lineCount(text) - 2;
    line += lineCount(text);
    const mappings = ['AAAA', ...Array.from({ length: bodyLines - 1 }, () => 'AACA')].join(';');
    return { offset, map: { version: 3, sources: [`workflow/${file.path}`], names: [], mappings } };
  });
};
