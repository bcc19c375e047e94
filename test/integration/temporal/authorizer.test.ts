/** A Temporal that lets no program change its namespace, as Temporal Cloud and authorizers do. */
import { connectTemporal, type TemporalConnection } from '../../../temporal/connect';
import { prepareNamespace } from '../../../temporal/prepare-namespace';
import { type AuthorizingTemporal, startAuthorizingTemporal } from '../rig/authorizing-temporal';
import { createBareNamespace, createNamespace } from '../rig/namespace';
import { testServices } from '../setup/services';

const { temporalAddress } = testServices();
let authorizing: AuthorizingTemporal;
beforeAll(async () => {
  authorizing = await startAuthorizingTemporal(temporalAddress);
});
afterAll(() => authorizing.stop());

const connectTo = (temporalNamespace: string): Promise<TemporalConnection> =>
  connectTemporal({ temporalAddress: authorizing.address, temporalNamespace });

it('serves a program whose namespace has all that it needs: nothing is changed', async () => {
  const { client, close } = await connectTo(await createNamespace(temporalAddress));
  await expect(prepareNamespace(client)).resolves.toBeUndefined();
  expect(authorizing.refused).toEqual([]);
  await close();
});

it('else the program says which commands an administrator of Temporal runs', async () => {
  const namespace = await createBareNamespace(temporalAddress);
  const { client, close } = await connectTo(namespace);
  await expect(prepareNamespace(client)).rejects.toMatchObject({
    name: 'StartFault',
    message:
      `Temporal does not let this program prepare the namespace ${namespace}: let an administrator of Temporal run ` +
      `"temporal operator namespace update --namespace ${namespace} --retention 30d" and ` +
      `"temporal operator search-attribute create --namespace ${namespace} --name MaintenanceState --type Keyword ` +
      '--name MaintenanceHost --type Keyword --name MaintenanceProject --type KeywordList"',
  });
  await close();
});
