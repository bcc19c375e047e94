/**
 * The folders of the product, and which others each may import. ESLint holds every file to it (eslint.config.mjs), and
 * docs/design/architecture.md shows it. A folder imports only folders that stand above it in this list.
 */

/** @type {Readonly<Record<string, { readonly all?: readonly string[], readonly types?: readonly string[] }>>} */
const mayImport = {
  startup: {},
  planning: {},
  expectations: { all: ['planning'] },
  questions: { all: ['planning'], types: ['expectations'] },
  steering: { all: ['expectations', 'planning', 'questions'] },
  requests: { types: ['planning'] },
  windows: {},
  tracing: {},
  outbound: {},
  downloads: { all: ['outbound'] },
  keystone: {},
  words: {},
  messages: { types: ['planning'] },
  'plugins/workflows': { types: ['planning'] },
  'plugins/actions': { all: ['downloads'] },
  prisma: { all: ['expectations', 'planning', 'questions', 'requests', 'startup', 'steering', 'windows'] },
  clouds: { all: ['keystone', 'planning', 'prisma', 'startup', 'words'] },
  metrics: { all: ['planning', 'prisma', 'startup'] },
  snapshot: { all: ['expectations', 'planning', 'prisma', 'questions', 'steering', 'windows'], types: ['clouds'] },
  events: { all: ['prisma'], types: ['planning'] },
  webhooks: { all: ['events', 'outbound', 'prisma'], types: ['metrics'] },
  control: { all: ['messages', 'prisma', 'startup'], types: ['requests'] },
  config: { all: ['outbound', 'planning', 'questions', 'startup'], types: ['control', 'events', 'keystone'] },
  simulation: { all: ['clouds', 'expectations', 'planning', 'questions', 'steering', 'windows'] },
  activities: {
    all: [
      'clouds',
      'control',
      'downloads',
      'events',
      'expectations',
      'messages',
      'planning',
      'plugins/actions',
      'plugins/workflows',
      'prisma',
      'questions',
      'snapshot',
      'steering',
      'webhooks',
      'windows',
    ],
    types: ['metrics'],
  },
  workflows: { all: ['messages', 'planning', 'plugins/workflows'], types: ['activities'] },
  api: {
    all: [
      'clouds',
      'config',
      'control',
      'downloads',
      'events',
      'expectations',
      'keystone',
      'messages',
      'metrics',
      'outbound',
      'planning',
      'plugins/actions',
      'plugins/workflows',
      'prisma',
      'questions',
      'requests',
      'simulation',
      'snapshot',
      'startup',
      'steering',
      'tracing',
      'webhooks',
      'windows',
      'words',
    ],
  },
  worker: {
    all: [
      'activities',
      'clouds',
      'config',
      'control',
      'downloads',
      'events',
      'messages',
      'metrics',
      'outbound',
      'planning',
      'plugins/actions',
      'prisma',
      'startup',
      'tracing',
      'webhooks',
    ],
  },
  cli: {
    all: [
      'api',
      'clouds',
      'config',
      'control',
      'expectations',
      'keystone',
      'messages',
      'planning',
      'plugins/workflows',
      'prisma',
      'simulation',
      'words',
    ],
  },
  page: { all: ['words'] },
};

/** The maximum depth of nested folders. */
const depths = [0, 1, 2];

/**
 * The beginnings of imports from a file this deep in the folder to the other folder: '../../plugins/actions' or
 * '../actions'.
 */
const waysTo = (folder, other, depth) => {
  const [from, to] = [folder.split('/'), other.split('/')];
  const shared = from[0] === to[0] ? [0, 1] : [0];
  return shared.map((count) => '../'.repeat(from.length - count + depth) + to.slice(count).join('/'));
};

/**
 * @returns for each depth: the files of the folder, and the imports that @typescript-eslint/no-restricted-imports
 * refuses in them
 */
const refusedImports = (folder) => {
  const { all = [], types = [] } = mayImport[folder];
  const never = Object.keys(mayImport).filter((other) => ![folder, ...all, ...types].includes(other));
  const message = `${folder}/ does not import this folder: dev/tools/who-may-import-whom.cjs has what it may import`;
  return depths.map((depth) => {
    const matching = (others) => {
      const ways = others.flatMap((other) => waysTo(folder, other, depth));
      return `^(${ways.map((way) => way.replaceAll('.', '\\.')).join('|')})(/|$)`;
    };
    const typesOnly = { regex: matching(types), message: `${message} (types only)`, allowTypeImports: true };
    return {
      files: [`${folder}/${'*/'.repeat(depth)}*.{ts,tsx}`],
      patterns: [{ regex: matching(never), message }, ...(types.length > 0 ? [typesOnly] : [])],
    };
  });
};

module.exports = { mayImport, refusedImports };
