import { describeCredentials, loginBody } from '../../../../clouds/keystone/keystone-settings';

const domain = { name: 'Default' };
const byName = {
  kind: 'password',
  user: { name: 'parley', domain },
  password: 'secret',
  project: { name: 'admin', domain },
} as const;

it('logs in with names', () => {
  expect(loginBody(byName)).toEqual({
    auth: {
      identity: { methods: ['password'], password: { user: { name: 'parley', domain, password: 'secret' } } },
      scope: { project: { name: 'admin', domain } },
    },
  });
});

it('logs in with IDs where they are given', () => {
  expect(loginBody({ ...byName, user: { id: 'u' }, project: { id: 'p' } })).toMatchObject({
    auth: { identity: { password: { user: { id: 'u' } } }, scope: { project: { id: 'p' } } },
  });
});

it('logs in with an application credential, which has its project', () => {
  expect(loginBody({ kind: 'applicationCredential', id: 'i', secret: 's' })).toEqual({
    auth: { identity: { methods: ['application_credential'], application_credential: { id: 'i', secret: 's' } } },
  });
});

it('is described without what is secret', () => {
  expect(describeCredentials(byName)).toBe('user parley');
  expect(describeCredentials({ ...byName, user: { id: 'u' } })).toBe('user u');
  expect(describeCredentials({ kind: 'applicationCredential', id: 'i', secret: 's' })).toBe('application credential i');
});
