// Makes a folder with exactly the files of a production install: `npm run production [-- FOLDER]`. The image and the
// systemd units run it. The files are copied from development's node_modules and the build, so that versions are those
// of the lock file, and no network is needed.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bill, licenceList } from './bill-of-materials.mjs';
import { isLeftOut, standIns } from './left-out.mjs';
import { productionPackages } from './production-packages.mjs';

const root = path.dirname(import.meta.dirname);
const target = path.resolve(process.argv[2] ?? path.join(root, 'production'));

const own = [
  'deploy/helm',
  'deploy/systemd',
  'deploy/monitoring',
  'docs',
  'README.md',
  '.env.example',
  'LICENSE',
  'CHANGELOG.md',
  'package.json',
  'bin',
  'prisma/migrations',
  // the processes in which downloaded plug-ins and workflows run
  'plugins/actions/keeper.mjs',
  'worker/package-process.mjs',
  // the database client, which the build generates
  'node_modules/.prisma/client',
];
/** The programs that measure Parley and test it. */
const notShipped = ['dev', 'test'];

const copy = (name, filter = () => true) =>
  cpSync(path.join(root, name), path.join(target, name), { recursive: true, filter });

const copyBuild = () => {
  const isShipped = (file) => !notShipped.includes(path.relative(path.join(root, 'dist'), file));
  copy('dist', (file) => isShipped(file) && !/\.(tsbuildinfo|d\.ts)$/.test(file));
};

/** Packages within a package are listed, and copied, by themselves. */
const copyPackage = ({ folder, name }) =>
  copy(folder, (file) => {
    const inside = path.relative(path.join(root, folder), file);
    return inside !== 'node_modules' && !isLeftOut(name, inside);
  });

const makeStandIn = (name) => {
  const folder = path.join(target, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  const code = `// In place of the package: the SDK loads it when it starts, to bundle workflows, which the build has done.
const refuse = () => {
  throw new Error('a production install of Parley bundles no workflows: npm run build does');
};
module.exports = new Proxy({}, { get: (_, key) => (key === '__esModule' ? undefined : refuse) });
`;
  writeFileSync(path.join(folder, 'index.js'), code);
};

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
if (readdirSync(root).includes('dist') === false) throw new Error('Parley is not built: npm run build');
const packages = productionPackages(root);
copyBuild();
for (const name of own) copy(name);
for (const each of packages) copyPackage(each);
for (const name of standIns) makeStandIn(name);
writeFileSync(path.join(target, 'sbom.cdx.json'), `${JSON.stringify(bill(root, packages), undefined, 2)}\n`);
writeFileSync(path.join(target, 'LICENSES.md'), licenceList(root, packages));
console.log(`${target}: ${packages.length} packages`);
