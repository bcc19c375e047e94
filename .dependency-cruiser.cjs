/**
 * Which room may import which, and that no file imports itself in a circle. `npm run check:imports` holds it, and
 * docs/design/architecture.md shows the list of the rooms.
 */

/** Each room with those that it may import; no two import each other. `dev`, `examples` and tests may import all. */
const rooms = {
  rules: [],
  startup: [],
  outgoing: [],
  calls: [],
  clients: [],
  forms: ['rules'],
  prisma: ['calls', 'rules', 'startup'],
  snapshot: ['prisma', 'rules'],
  plugins: ['calls', 'outgoing', 'rules'],
  telemetry: ['outgoing', 'prisma', 'rules', 'startup'],
  clouds: ['calls', 'forms', 'outgoing', 'prisma', 'rules', 'startup'],
  temporal: ['calls', 'prisma', 'rules', 'startup'],
  events: ['calls', 'outgoing', 'plugins', 'prisma', 'rules', 'telemetry'],
  config: ['clouds', 'events', 'outgoing', 'plugins', 'rules', 'startup', 'temporal'],
  activities: ['calls', 'clouds', 'events', 'plugins', 'prisma', 'rules', 'snapshot', 'telemetry', 'temporal'],
  workflows: ['activities', 'plugins', 'rules', 'temporal'],
  worker: [
    'activities',
    'clouds',
    'config',
    'events',
    'plugins',
    'prisma',
    'rules',
    'startup',
    'telemetry',
    'temporal',
  ],
  api: [
    'calls',
    'clouds',
    'config',
    'events',
    'forms',
    'outgoing',
    'plugins',
    'prisma',
    'rules',
    'snapshot',
    'startup',
    'telemetry',
    'temporal',
  ],
  cli: ['api', 'clouds', 'config', 'forms', 'outgoing', 'plugins', 'prisma', 'rules', 'startup', 'temporal'],
  page: ['rules'],
};

/** The folders of rules/, each with those that it may import. */
const foldersOfRules = {
  words: [],
  selectors: [],
  'maintenance-windows': [],
  cloud: ['maintenance-windows', 'selectors'],
  obstacles: ['words'],
  reasons: ['obstacles', 'words'],
  decisions: ['cloud', 'obstacles', 'reasons', 'selectors', 'words'],
  constraints: ['cloud', 'decisions'],
  expectations: ['cloud', 'decisions'],
  terms: ['cloud', 'decisions', 'maintenance-windows'],
  questions: ['cloud', 'expectations', 'obstacles', 'reasons', 'decisions', 'terms', 'words'],
  steering: ['cloud', 'expectations', 'maintenance-windows', 'obstacles', 'reasons', 'decisions', 'questions'],
  requests: ['decisions'],
  holds: [],
  steps: ['cloud', 'decisions', 'obstacles', 'reasons', 'questions', 'steering'],
  simulation: [
    'cloud',
    'constraints',
    'expectations',
    'obstacles',
    'reasons',
    'decisions',
    'questions',
    'steering',
    'steps',
    'maintenance-windows',
    'selectors',
    'terms',
    'words',
  ],
};

/** The layers of rules/decisions/. Each may import only those before it. */
const layersOfDecisions = ['fleet', 'limits', 'model', 'both-workflows', 'scale-in', 'drain-order', 'default', 'vnf'];

const foldersIn = (parent, allowed) =>
  Object.entries(allowed).map(([folder, others]) => ({
    name: `what-${parent}${folder}-may-import`.replaceAll('/', '-'),
    severity: 'error',
    from: { path: `^${parent}${folder}/` },
    to: {
      path: `^${parent}(${Object.keys(allowed).join('|')})/`,
      pathNot: [folder, ...others].map((each) => `^${parent}${each}/`),
    },
  }));

const layers = Object.fromEntries(layersOfDecisions.map((layer, level) => [layer, layersOfDecisions.slice(0, level)]));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    ...foldersIn('', rooms),
    ...foldersIn('rules/', foldersOfRules),
    ...foldersIn('rules/decisions/', layers),
    {
      name: 'one-door-to-the-drain-order',
      severity: 'error',
      from: { path: '^rules/decisions/', pathNot: '^rules/decisions/drain-order/' },
      to: { path: '^rules/decisions/drain-order/', pathNot: '/order-of-hosts\\.ts$' },
    },
    {
      name: 'rules-are-pure',
      comment: 'decisions are pure: no I/O, no clock, no Temporal, no database',
      severity: 'error',
      from: { path: '^rules/', pathNot: '^rules/simulation/plan/plan(ner|-thread)\\.ts$' },
      to: { path: '(^|node_modules/)(@temporalio|@prisma|node:|fs$|path$|crypto$|http|https|net$|os$)' },
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'workflow code is deterministic: it calls activities',
      severity: 'error',
      from: { path: '^(workflows|plugins/workflows)/' },
      to: { path: 'node_modules/(@prisma|@temporalio/(client|worker))/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-know-activities-by-type',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-page-shares-only-words',
      severity: 'error',
      from: { path: '^page/' },
      to: { path: '^rules/', pathNot: '^rules/(words|obstacles|reasons|selectors)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|production)/' },
  },
};
