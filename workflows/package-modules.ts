/**
 * The modules of a session's package, as CommonJS in the workflow sandbox. The worker puts the package's files into the
 * bundle as functions (worker/package-bundle.ts). So a module reaches these files and the modules that it is given by
 * name, and nothing else: there is no file system behind `require`.
 */

interface Module {
  exports: unknown;
}

/** A file of a package, as a function with the file's code as its body. */
export type ModuleFunction = (module: Module, exports: unknown, require: (request: string) => unknown) => void;

export interface PackageModules {
  /** Functions by path within the package. */
  readonly files: ReadonlyMap<string, ModuleFunction>;
  /** The modules that `require` finds by name. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * @param entry path of a file within the package
 * @returns the exports of this module
 * @throws whatever the module throws, and Error for a request that finds no module
 */
export const loadModule = ({ files, given }: PackageModules, entry: string): unknown => {
  const loaded = new Map<string, Module>();
  const load = (path: string, run: ModuleFunction): unknown => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    loaded.set(path, module);
    run.call(module.exports, module, module.exports, (request) => requireFrom(path, request));
    return module.exports;
  };
  const requireFrom = (from: string, request: string): unknown => {
    if (Object.hasOwn(given, request)) return given[request];
    for (const path of candidates(from, request)) {
      const run = files.get(path);
      if (run !== undefined) return load(path, run);
    }
    throw new Error(
      `workflow/${from} requires ${JSON.stringify(request)}, which is neither a file of the package's workflow folder ` +
        `nor one of ${Object.keys(given).join(', ')}`,
    );
  };
  return requireFrom('', `./${entry}`);
};

const endings = ['', '.js', '.cjs', '.json', '/index.js', '/index.cjs'];

/** Paths that a relative request may mean. None for a request that leaves the package or is not relative. */
const candidates = (from: string, request: string): string[] => {
  if (!/^\.\.?(\/|$)/.test(request)) return [];
  const segments = from.split('/').slice(0, -1);
  for (const part of request.split('/').filter((text) => text !== '' && text !== '.')) {
    if (part !== '..') segments.push(part);
    else if (segments.pop() === undefined) return [];
  }
  const path = segments.join('/');
  return endings.map((ending) => `${path}${ending}`.replace(/^\//, ''));
};
