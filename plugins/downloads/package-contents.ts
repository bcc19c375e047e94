/** The contents of a session's packages: plug-ins by name, and lists of files for people. */
import { access, constants, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { judgeEntryPath } from './entry-path';
import type { PackageFolder } from './package-url';

/** A downloaded plug-in's name in a request: it becomes part of a file's name, and is never a path. */
export const isPluginName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name);

const endings = ['.js', '.cjs', '.mjs'] as const;

const isFile = async (file: string): Promise<boolean> => {
  try {
    return (await lstat(file)).isFile();
  } catch {
    return false;
  }
};

const firstFile = async (files: readonly string[]): Promise<string | undefined> => {
  for (const file of files) if (await isFile(file)) return file;
  return undefined;
};

/**
 * The JavaScript module of a plug-in: `<name>.js`, `.cjs` or `.mjs` in the folder, or `index` in a folder with its
 * name.
 * @param folder the session's
 */
export const findModule = (
  folder: string,
  { kind, name }: { readonly kind: PackageFolder; readonly name: string },
): Promise<string | undefined> => {
  if (!isPluginName(name)) return Promise.resolve(undefined);
  const stem = path.join(folder, kind, name);
  return firstFile([
    ...endings.map((ending) => `${stem}${ending}`),
    ...endings.map((end) => path.join(stem, `index${end}`)),
  ]);
};

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

const deepestScript = 64;

/** An executable of the packages, by its path within `actions`. */
export const findScript = async (folder: string, script: string): Promise<string | undefined> => {
  const judged = judgeEntryPath(script, deepestScript);
  if (judged.kind === 'refused') return undefined;
  const file = path.join(folder, 'actions', ...judged.segments);
  return (await isFile(file)) && (await isExecutable(file)) ? file : undefined;
};

const mostListed = 40;

const listFiles = async (folder: string): Promise<string> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  if (files.length === 0) return 'nothing';
  const more = files.length > mostListed ? `, and ${files.length - mostListed} more` : '';
  return `${files.slice(0, mostListed).join(', ')}${more}`;
};

/** Every file under `actions` and `workflow`, for people. */
export const describeContents = async (folder: string): Promise<string> => {
  const [actions, workflow] = await Promise.all(
    ['actions', 'workflow'].map((kind) => listFiles(path.join(folder, kind))),
  );
  return `the packages hold in actions/: ${actions ?? ''}; in workflow/: ${workflow ?? ''}`;
};
