// Dependencies of packages that a production install never loads, with the reasons.

/** @type {readonly { readonly of: RegExp, readonly names: RegExp, readonly because: string }[]} */
export const leftOutDependencies = [
  { of: /./, names: /^(@types\/|undici-types$|typescript$)/, because: 'types, which only a compiler reads' },
  {
    of: /^@temporalio\/worker$/,
    names: /^(webpack|memfs|unionfs|swc-loader|source-map-loader|@swc\/core)$/,
    because: 'bundles workflows, which the build has done',
  },
  { of: /^@grpc\/proto-loader$/, names: /^yargs$/, because: 'reads the arguments of its command line tool' },
  { of: /^swagger-ui-dist$/, names: /^@scarf\/scarf$/, because: 'sends statistics when it is installed' },
  { of: /./, names: /^bare-/, because: 'belongs to another runtime than Node.js' },
  { of: /^pg$/, names: /^pg-cloudflare$/, because: 'connects to PostgreSQL from another runtime than Node.js' },
];

/**
 * The modules of the bundler that the SDK loads when it starts, without using them. Modules in their place throw when
 * they are used.
 */
export const standIns = ['webpack', 'memfs', 'unionfs'];

const { arch, platform } = process;
const release = { linux: 'unknown-linux-gnu', darwin: 'apple-darwin' }[platform];
const bridge = `${{ x64: 'x86_64', arm64: 'aarch64' }[arch]}-${release}`;

/** Files of packages that nothing loads here, by package and path in it. */
const leftOutFiles = [
  { of: /./, files: /\.(map|[cm]?ts|tsx|markdown)$|(^|\/)(README|CHANGELOG|HISTORY)[^/]*$/i },
  { of: /^@temporalio\/core-bridge$/, files: /^(bridge-macros|scripts|sdk-core|src|ts|Cargo)/ },
  { of: /^@temporalio\/core-bridge$/, files: new RegExp(`^releases/(?!${bridge}(/|$))`) },
  // The generated client brings its own query compiler.
  { of: /^@prisma\/client$/, files: /^(generator-build|scripts|runtime\/(?!client\.js$|client\.mjs$|package\.json$))/ },
];

export const isLeftOut = (name, file) => leftOutFiles.some(({ of, files }) => of.test(name) && files.test(file));
