import { createBodyParser } from '../../../api/http/schema-check';
import { examples } from '../../../api/openapi/examples';
import { ApiError, type FieldError, toProblem } from '../../../api/problems/problem';
import { bodyDoesNotFit } from '../../../api/problems/problem-catalogue';
import { GroupConstraintsSchema } from '../../../api/schemas/constraint-schemas';
import { ProjectReplySchema } from '../../../api/schemas/reply-schemas';
import { CreateSessionSchema } from '../../../api/schemas/session-schemas';

const parseGroup = createBodyParser(GroupConstraintsSchema, bodyDoesNotFit);
const parseReply = createBodyParser(ProjectReplySchema, bodyDoesNotFit);
const parseCreate = createBodyParser(CreateSessionSchema, bodyDoesNotFit);

const errorsOf = (parse: () => unknown): readonly FieldError[] => {
  try {
    parse();
    return [];
  } catch (error) {
    return error instanceof ApiError ? (error.problem.errors ?? []) : [];
  }
};

/** A body so deep that a recursive check would overflow the stack. */
const nested = (levels: number): unknown => JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));

const group = { ...examples.GroupConstraints };

describe('what is wrong with a body', () => {
  it.each([
    {
      situation: 'the string that a YAML comma makes of a number',
      body: { ...group, recovery_time: '60,' },
      errors: [{ pointer: '/recovery_time', message: 'must be an integer, but is "60,"' }],
    },
    {
      situation: 'a count below its least',
      body: { ...group, max_impacted_members: 0 },
      errors: [{ pointer: '/max_impacted_members', message: 'must be at least 1, but is 0' }],
    },
    {
      situation: 'an unknown field, its name escaped',
      body: { ...group, 'a/b': 1 },
      errors: [
        { pointer: '/a~1b', message: expect.stringContaining('is not a known field; known are group_id') as unknown },
      ],
    },
    {
      situation: 'a wrong ID',
      body: { ...group, project_id: 'me' },
      errors: [{ pointer: '/project_id', message: 'must be a UUID, with or without dashes, but is "me"' }],
    },
    {
      situation: 'an empty name',
      body: { ...group, group_name: '' },
      errors: [{ pointer: '/group_name', message: 'must not be empty' }],
    },
    {
      situation: 'text that the database cannot hold',
      body: { ...group, group_name: 'a\0b' },
      errors: [{ pointer: '/group_name', message: 'has a NUL character or half a surrogate pair' }],
    },
    { situation: 'no object', body: [], errors: [{ pointer: '', message: 'must be an object, but is []' }] },
  ])('$situation', ({ body, errors }) => {
    expect(errorsOf(() => parseGroup(body))).toEqual(errors);
  });

  it('is told all at once', () => {
    expect(errorsOf(() => parseGroup(undefined)).map(({ pointer }) => pointer)).toEqual([
      '/group_id',
      '/project_id',
      '/group_name',
      '/anti_affinity_group',
      '/max_instances_per_host',
      '/max_impacted_members',
      '/recovery_time',
      '/resource_mitigation',
    ]);
  });

  it('names a key that is no instance ID once', () => {
    expect(errorsOf(() => parseReply({ state: 'ACK_SCALE_IN', instance_actions: { vm1: 'MIGRATE' } }))).toEqual([
      { pointer: '/instance_actions/vm1', message: 'must be named by a UUID, with or without dashes' },
    ]);
  });

  it('refuses a reply that is neither ACK_ nor NACK_', () => {
    expect(errorsOf(() => parseReply({ state: 'YES' }))).toEqual([
      { pointer: '/state', message: 'must be ACK_ or NACK_ followed by the state replied to, but is "YES"' },
    ]);
  });

  it('names the place inside a list', () => {
    const body = { ...examples.CreateSession, actions: [{ plugin: 'dummy', type: 7 }] };
    expect(errorsOf(() => parseCreate(body)).map(({ pointer }) => pointer)).toContain('/actions/0/type');
  });

  it('survives nesting beyond reason', () => {
    const body = { ...examples.CreateSession, metadata: nested(100_000) };
    expect(errorsOf(() => parseCreate(body))).toEqual([
      { pointer: expect.any(String) as unknown, message: 'is nested more than 32 levels deep' },
    ]);
  });

  it('lists no more errors than anybody reads, and counts them all', () => {
    const body = { ...examples.CreateSession, hosts: Array.from({ length: 5_000 }, () => 1) };
    const errors = errorsOf(() => parseCreate(body));
    const problem = toProblem({ status: 400, code: 'INVALID_REQUEST', detail: 'wrong', errors, hint: '' });
    expect(problem.errors).toHaveLength(50);
    expect(problem.detail).toBe('wrong; errors has the first 50 of 5000');
  });
});
