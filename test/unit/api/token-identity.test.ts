import { createHash } from 'node:crypto';
import { parseTokens } from '../../../api/identity/token-file';
import { createTokenIdentity } from '../../../api/identity/token-identity';
import { idOf } from '../../../rules/cloud/id';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const adminHash = sha256('of the admin');
const projectId = '39494a5d9f424b3bb7d91d1bd2a1a1b0';

const file = JSON.stringify([
  { sha256: sha256('of the admin'), role: 'admin' },
  { sha256: sha256('of the project').toUpperCase(), name: 'vnfm', role: 'project', project_id: projectId },
]);
const identity = createTokenIdentity(parseTokens(file));

describe('a token', () => {
  it.each([
    {
      token: 'of the admin',
      principal: { kind: 'admin', caller: adminHash, callerName: `token ${adminHash.slice(0, 12)}` },
    },
    {
      token: 'of the project',
      principal: { kind: 'project', projectId: idOf(projectId), caller: sha256('of the project'), callerName: 'vnfm' },
    },
  ])('$token is known', async ({ token, principal }) => {
    await expect(identity.authenticate(token)).resolves.toEqual(principal);
  });

  it.each([{ token: undefined }, { token: '' }, { token: 'of nobody' }, { token: sha256('of the admin') }])(
    '$token is refused with a challenge',
    async ({ token }) => {
      await expect(identity.authenticate(token)).rejects.toMatchObject({
        problem: { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="parley"' } },
      });
    },
  );
});

describe('a tokens file', () => {
  it.each([
    { situation: 'no JSON', text: 'admin: secret', says: 'is not JSON' },
    { situation: 'no list', text: '{}', says: 'the file must be an array' },
    { situation: 'a token in plain text', text: '[{"sha256":"secret","role":"admin"}]', says: '/0/sha256' },
    { situation: 'an unknown role', text: `[{"sha256":"${sha256('a')}","role":"root"}]`, says: '/0/role' },
    {
      situation: 'a project without ID',
      text: `[{"sha256":"${sha256('a')}","role":"project"}]`,
      says: '/0/project_id',
    },
  ])('$situation is refused by name', ({ text, says }) => {
    expect(() => parseTokens(text)).toThrow(says);
  });

  it('never repeats what it holds', () => {
    expect(() => parseTokens('[{"sha256":"hunter2","role":"admin"}]')).not.toThrow(/hunter2/);
  });
});
