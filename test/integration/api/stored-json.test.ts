/** JSON that a client has stored comes back as the same value, or was refused. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createEventDrafts } from '../../../events/drafts';
import { appendEvent } from '../../../events/outbox';
import { readEvents } from '../../../events/stream';
import { inTransaction } from '../../../prisma/database';
import { findMetadata } from '../../../prisma/session/session-progress';
import { specifiedNames } from '../../builders/wire-names';
import { apiOn, aSessionRequest, ownProject, useDatabase } from './api-under-test';

const { db } = useDatabase();

/** Names that mean something to JavaScript, to the database's client or to PostgreSQL, and any other. */
const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'then', 'hasOwnProperty', ''),
  fc.constantFrom('$type', 'value', '__prismaRawParameters__', 'set', 'equals', 'path', 'prisma__type'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.oneof(
  fc.constantFrom('Json', 'DateTime', 'Raw', 'FieldRef', 'Param', 'Bytes', 'BigInt', 'Enum', 'DbNull', 'JsonNull'),
  fc.constantFrom('2026-04-15T11:43:28.000Z', '-0', 'null', '$1', '\\u0000', "';--"),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());

/** An object that has each key of its own, `__proto__` too, as JSON.parse makes it. */
const dictionaryOf = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie('json'), { maxLength: 4 }),
    dictionaryOf(tie('json')),
  ),
}));

/** JSON says nothing about the order of keys; -0 and 0 are one number. */
const inOneForm = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOneForm);
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, inOneForm(inner)]);
};

const create = async (body: object) => {
  const reply = await apiOn(db()).http.post('/v1/maintenance').type('json').send(JSON.stringify(body));
  return { status: reply.status, id: (reply.body as { session_id: string }).session_id };
};

const metadataInEvent = async (sessionId: string): Promise<unknown> => {
  const names = { ...specifiedNames, baseUrl: 'http://parley.example', adminProjectId: ownProject };
  const draft = createEventDrafts(names).planned({
    ...{ sessionId, projectId: ownProject, state: 'MAINTENANCE', allowedActions: [], instanceIds: '' },
    metadata: await findMetadata(db(), sessionId),
  });
  await inTransaction(db(), (tx) => appendEvent(tx, draft));
  await db().event.updateMany({ where: { sessionId }, data: { position: 1n } });
  const [event] = await readEvents(db(), { afterPosition: 0n, projectId: null, limit: 1, names: specifiedNames });
  return event?.envelope.payload['metadata'];
};

describe('what a client has stored', () => {
  it.each(['{"__proto__": {"a": 1}}', '{"__prismaRawParameters__": 1}', '{"$type": "Raw", "value": "x"}'])(
    'is read back: %s',
    async (written) => {
      const { http } = apiOn(db());
      const metadata: unknown = JSON.parse(written);
      const { status, id } = await create(aSessionRequest({ metadata }));
      expect(status).toBe(200);
      const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
      expect(detail.text).toContain(`"meta":${JSON.stringify(metadata)}`);
    },
  );

  it('is the same JSON value wherever it is read, whatever its keys, or was refused', async () => {
    const { http } = apiOn(db());
    let stored = 0;
    const comesBack = async (metadata: object, actionMetadata: object) => {
      const actions = [{ plugin: 'dummy', type: 'host', metadata: actionMetadata }];
      const { status, id } = await create(aSessionRequest({ metadata, actions }));
      expect([200, 400]).toContain(status);
      if (status === 400) return;
      stored += 1;
      const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
      const { session } = JSON.parse(detail.text) as { session: { meta: unknown } };
      const row = await db().session.findUniqueOrThrow({ where: { id } });
      const inEvent = await metadataInEvent(id);
      await db().event.deleteMany();
      await db().session.deleteMany();
      expect(inOneForm(session.meta)).toEqual(inOneForm(metadata));
      expect(inOneForm(row.actions)).toEqual(inOneForm(actions));
      expect(inOneForm(inEvent)).toEqual(inOneForm(metadata));
    };
    await fc.assert(fc.asyncProperty(dictionaryOf(json), dictionaryOf(json), comesBack), { numRuns: 40 });
    expect(stored).toBeGreaterThan(10);
  });

  it.each([
    { what: 'a number beyond doubles', written: '{"a": 1e309}' },
    { what: 'a number that would become 0', written: '{"a": [-1e-400]}' },
    { what: 'an integer that would become another', written: '{"a": {"b": 12345678901234567890}}' },
    { what: 'a NUL', written: '{"a": "\\u0000"}' },
    { what: 'half a surrogate pair', written: '{"\\ud800": 1}' },
  ])('$what is 400', async ({ written }) => {
    const body = JSON.stringify(aSessionRequest({ metadata: 0 })).replace('"metadata":0', `"metadata":${written}`);
    await apiOn(db()).http.post('/v1/maintenance').type('json').send(body).expect(400);
  });

  it.each([
    { method: 'post', path: '/v1/maintenance', bytes: '{"metadata": {"a": "\xff"}}' },
    { method: 'put', path: `/v1/instance/${randomUUID()}`, bytes: '{"instance_name": "\xc3("}' },
    { method: 'post', path: `/v1/maintenance/${randomUUID()}/pause`, bytes: '"\xff"' },
  ] as const)('$method $path with bytes that are no UTF-8 is 400', async ({ method, path, bytes }) => {
    const request = apiOn(db()).http[method](path).type('json');
    request.write(Buffer.from(bytes, 'latin1'), 'latin1');
    expect(await request).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } });
  });
});
