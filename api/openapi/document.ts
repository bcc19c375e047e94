/** The OpenAPI 3.1 document, made from the same schemas that check the requests. */
import { idForms } from '../../forms/field-types';
import { changesSomething } from '../http/changes-something';
import { reasonHeader } from '../http/reason-of-request';
import { freezeNameMeaning, freezeNamePattern } from '../schemas/freeze-schemas';
import { ProblemSchema } from '../schemas/problem-schemas';
import type { DocumentedBody, DocumentedHeader, DocumentedParameter, Operation } from './documented-endpoint';
import { examples } from './examples';
import { operations } from './operations';

export type OpenApiDocument = Readonly<Record<string, unknown>>;

const errorMeanings: Readonly<Record<number, string>> = {
  400: 'Some content in the request was invalid',
  401: 'No token, or one that is not known',
  403: "The token is not an admin's, or another project's",
  404: 'There is no such resource',
  422: 'The request is not in line with the resource: its schema, or what its state allows',
  429: 'The caller has sent too many requests within a minute; Retry-After says when to repeat the request',
  500: 'Something went wrong in the service',
  503: 'The database or the cloud does not answer: nothing was recorded; Retry-After says when to repeat the request',
  509: 'Too many parallel sessions',
};

const parameterMeanings: Readonly<Record<string, string>> = {
  session_id: 'Maintenance session',
  project_id: 'Project',
  instance_id: 'Instance',
  group_id: 'Instance group',
  webhook_id: 'Webhook',
};

const parametersOf = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describeParameter(name),
  }));

/** Whoever changes something may say why. */
const headersOf = ({ headers = [], access, method, path }: Operation): readonly DocumentedHeader[] =>
  access !== 'everybody' && changesSomething(method, path) ? [...headers, reasonHeader] : headers;

const describeHeader = ({ name, description, maxLength }: DocumentedHeader) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', minLength: 1, maxLength },
});

const namedParameters: Readonly<Record<string, object>> = {
  secret: {
    description: 'The secret part of the address, as it was shown when it was made',
    schema: { type: 'string' },
  },
  hostname: { description: 'Host, by the name that the cloud gives it', schema: { type: 'string' } },
  name: {
    description: `Freeze: ${freezeNameMeaning}`,
    schema: { type: 'string', pattern: freezeNamePattern.source },
  },
};

const describeParameter = (name: string): object =>
  namedParameters[name] ?? {
    description: `${parameterMeanings[name] ?? name}: ${idForms}`,
    schema: { type: 'string', format: 'uuid-as-given' },
  };

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const jsonContent = ({ name, example }: DocumentedBody) => ({
  content: { 'application/json': { schema: referenceTo(name), example } },
});

const errorResponse = (status: number) => ({
  description: errorMeanings[status] ?? 'Error',
  content: { 'application/problem+json': { schema: referenceTo('Problem') } },
});

const errorResponses = (statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [String(status), errorResponse(status)]));

const successOf = ({ response, alternative, content, hasEtag }: Operation) =>
  response === undefined
    ? contentOf(content)
    : {
        description: 'The requested resource',
        ...(hasEtag && { headers: { ETag: { description: etagMeaning, schema: { type: 'string' } } } }),
        ...(alternative ? eitherContent([response, alternative]) : jsonContent(response)),
      };

const contentOf = (content: Operation['content']) =>
  content === undefined
    ? { description: 'Done; no body' }
    : { description: 'The requested resource', content: { [content]: { schema: { type: 'string' } } } };

const etagMeaning =
  'Sent back as If-None-Match it is answered with 304 while countdowns run to the same ends, and nothing else changes';

const eitherContent = (bodies: readonly DocumentedBody[]) => ({
  content: {
    'application/json': {
      schema: { anyOf: bodies.map(({ name }) => referenceTo(name)) },
      examples: Object.fromEntries(bodies.map(({ name, example }) => [name, { value: example }])),
    },
  },
});

const describeQuery = ({ name, description }: DocumentedParameter) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string' },
});

const requestOf = ({ request, mayLackBody }: Operation) =>
  request === undefined ? {} : { requestBody: { required: mayLackBody !== true, ...jsonContent(request) } };

/** Errors that every operation with a token may have, beside those of the specification. */
const commonErrors = [401, 403, 429, 503] as const;
/** A reply is never refused because its caller has sent many requests. */
const replyErrors = commonErrors.filter((status) => status !== 429);

const accessMeanings = {
  admin: 'Admins only.',
  project: "For the project's own token, and for admins.",
  everybody: 'For everybody, without a token.',
} as const;

const usualErrorsOf = ({ access, isReply }: Operation): readonly number[] => {
  if (access === 'everybody') return [503];
  return isReply === true ? replyErrors : commonErrors;
};

const errorsOf = (operation: Operation): readonly number[] => [...usualErrorsOf(operation), ...operation.errors];

const describeOperation = (operation: Operation) => ({
  operationId: operation.id,
  summary: operation.summary,
  description: accessMeanings[operation.access],
  tags: [operation.tag],
  parameters: [
    ...parametersOf(operation.path),
    ...(operation.query ?? []).map(describeQuery),
    ...headersOf(operation).map(describeHeader),
  ],
  ...requestOf(operation),
  responses: { '200': successOf(operation), ...errorResponses(errorsOf(operation)) },
  ...(operation.access === 'everybody' && { security: [] }),
});

type PathItems = Record<string, Record<string, unknown>>;

const operationPaths = (): PathItems => {
  const paths: PathItems = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation) };
  }
  return paths;
};

const eventStream = {
  get: {
    operationId: 'streamEvents',
    summary: 'Follow the events as server-sent events',
    description:
      'Admins receive all events, a project its own. `id` is the position in the stream, `event` the event_type, `data` the ' +
      'whole envelope. `reply_at` and `actions_at` in it are UTC. Goes on after Last-Event-ID; without it, from the ' +
      'beginning.',
    tags: ['Events'],
    parameters: [
      { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string', pattern: '^[0-9]+$' } },
      {
        name: 'from',
        in: 'query',
        required: false,
        description: 'The beginning without Last-Event-ID: only events from now on',
        schema: { type: 'string', enum: ['now'] },
      },
      {
        name: 'project_id',
        in: 'query',
        required: false,
        description: `Only this project's events: ${idForms}`,
        schema: { type: 'string', format: 'uuid-as-given' },
      },
    ],
    responses: {
      '200': {
        description: 'The stream',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...errorResponses([400, ...commonErrors, 500]),
    },
  },
};

const describeHealthCheck = (check: { readonly id: string; readonly summary: string; readonly failing: object }) => ({
  get: {
    operationId: check.id,
    summary: check.summary,
    tags: ['Service'],
    security: [],
    responses: { '200': { description: 'Yes' }, ...check.failing },
  },
});

const healthChecks: PathItems = {
  '/healthz': describeHealthCheck({ id: 'isAlive', summary: 'Tells whether the process answers', failing: {} }),
  '/readyz': describeHealthCheck({
    id: 'isReady',
    summary: 'Tells whether a session could run',
    failing: { '503': { description: 'No; the body lists the problems' } },
  }),
};

const metrics = {
  get: {
    operationId: 'readMetrics',
    summary: 'Read the metrics of this process in the text form of Prometheus',
    description: 'Admins only. A port of its own serves them without a token where PARLEY_API_METRICS_PORT names one.',
    tags: ['Service'],
    responses: {
      '200': { description: 'The metrics', content: { 'text/plain': { schema: { type: 'string' } } } },
      ...errorResponses([401, 403, 500]),
    },
  },
};

const documentedPaths: PathItems = {
  ...operationPaths(),
  '/v1/events': eventStream,
  ...healthChecks,
  '/metrics': metrics,
};

/** The document itself, the page that shows it, and the operator's page. */
const documentPaths: PathItems = Object.fromEntries(
  ['/openapi.json', '/docs', '/docs/{file}', '/', '/index.html', '/assets/{file}'].map((path) => [path, { get: {} }]),
);

/** HTTP's methods by path, in the form of an Allow header. A path that allows GET allows HEAD. */
export const documentedMethods: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ ...documentedPaths, ...documentPaths }).map(([path, item]) => [
    path,
    Object.keys(item).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
  ]),
);

const componentSchemas = () => {
  const bodies = operations.flatMap(({ request, response, alternative }) => [request, response, alternative]);
  const named = bodies.flatMap((body) => (body === undefined ? [] : [[body.name, body.schema] as const]));
  return { ...Object.fromEntries(named), Problem: { ...ProblemSchema, examples: [examples.Problem] } };
};

const securitySchemes = {
  authToken: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
  bearer: { type: 'http', scheme: 'bearer' },
} as const;

/** @param baseUrl of the service, as clients reach it */
export const createOpenApiDocument = (baseUrl: string): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Parley, a rolling maintenance coordination service',
    version: '1',
    description: 'Every error is a problem (RFC 9457) with a stable code, the wrong fields, and a hint.',
  },
  servers: [{ url: baseUrl }],
  security: [{ authToken: [] }, { bearer: [] }],
  paths: documentedPaths,
  components: { schemas: componentSchemas(), securitySchemes },
});
