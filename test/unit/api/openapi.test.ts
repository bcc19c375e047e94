import { Ajv2020 } from 'ajv/dist/2020';
import { createOpenApiDocument } from '../../../api/openapi/document';
import type { DocumentedBody } from '../../../api/openapi/documented-endpoint';
import { operations } from '../../../api/openapi/operations';
import { formats } from '../../../forms/field-types';

const document = createOpenApiDocument('http://parley.example:12347');
const text = JSON.stringify(document);

const ajv = new Ajv2020({ allowUnionTypes: true });
for (const [name, { check }] of Object.entries(formats)) ajv.addFormat(name, check);

const bodies = operations.flatMap(({ id, request, response }) =>
  [request, response].filter((body): body is DocumentedBody => body !== undefined).map((body) => ({ id, ...body })),
);

describe('the OpenAPI document', () => {
  it.each(bodies)('$id: the example of $name fits its schema', ({ schema, example }) => {
    expect(ajv.validate(schema, example)).toBe(true);
  });

  it('refers only to what it holds', () => {
    const { schemas } = document['components'] as { schemas: Record<string, unknown> };
    const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...new Set(named)]));
  });

  it('gives every operation an ID of its own, and every name one schema', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const schemasByName = new Map(bodies.map(({ name, schema }) => [name, schema]));
    expect(bodies.every(({ name, schema }) => schemasByName.get(name) === schema)).toBe(true);
  });

  it.each([
    // 422 only for `select`, which is an addition.
    { endpoint: 'post /v1/maintenance', codes: [200, 400, 401, 403, 422, 429, 500, 503, 509] },
    // Its filters are an addition, and 422 is about a filter that there is not.
    { endpoint: 'get /v1/maintenance', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'get /v1/maintenance/{session_id}', codes: [200, 400, 401, 403, 404, 422, 429, 500, 503] },
    { endpoint: 'put /v1/maintenance/{session_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'patch /v1/maintenance/{session_id}', codes: [200, 400, 401, 403, 404, 422, 429, 500, 503] },
    { endpoint: 'delete /v1/maintenance/{session_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'get /v1/maintenance/{session_id}/detail', codes: [200, 400, 401, 403, 404, 422, 429, 500, 503] },
    { endpoint: 'get /v1/maintenance/{session_id}/{project_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'put /v1/maintenance/{session_id}/{project_id}', codes: [200, 400, 401, 403, 422, 500, 503] },
    {
      endpoint: 'put /v1/maintenance/{session_id}/{project_id}/{instance_id}',
      codes: [200, 400, 401, 403, 422, 500, 503],
    },
    { endpoint: 'get /v1/instance/{instance_id}', codes: [200, 400, 401, 403, 404, 422, 429, 500, 503] },
    { endpoint: 'put /v1/instance/{instance_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'delete /v1/instance/{instance_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'get /v1/instance_group/{group_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'put /v1/instance_group/{group_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'delete /v1/instance_group/{group_id}', codes: [200, 400, 401, 403, 422, 429, 500, 503] },
    { endpoint: 'get /v1/events', codes: [200, 400, 401, 403, 429, 500, 503] },
  ])('$endpoint has exactly the codes of the specification', ({ endpoint, codes }) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const paths = document['paths'] as Record<string, Record<string, { responses: object }>>;
    expect(Object.keys(paths[path]?.[method]?.responses ?? {}).map(Number)).toEqual(codes);
  });
});
