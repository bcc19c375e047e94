/** The requests to Nova. */
import type { ServiceClient } from '../../../../clouds/openstack/http/service-client';
import { createNovaApi } from '../../../../clouds/openstack/nova/nova-api';
import { idFormNames, idForms } from '../../../builders/id-forms';

const dashed = '39494a5d-9f42-4b3b-b7d9-1d1bd2a1a1b0';

const pathsAskedFor = async (serverId: string): Promise<string[]> => {
  const paths: string[] = [];
  const client: ServiceClient = {
    call({ path }) {
      paths.push(path);
      return Promise.resolve({ status: 200, headers: new Map(), body: { instanceActions: [] } });
    },
  };
  await createNovaApi({ client }).listActions(serverId);
  return paths;
};

// Nova compares the text: to any other form it says that there is no such server.
it.each(idFormNames)('asks for a server whose ID is given %s by the ID as Nova writes it', async (form) => {
  expect(await pathsAskedFor(idForms[form](dashed))).toEqual([`/servers/${dashed}/os-instance-actions`]);
});

it('asks for what is no UUID as it stands', async () => {
  expect(await pathsAskedFor('web/1')).toEqual(['/servers/web%2F1/os-instance-actions']);
});
