/** A server that Nova has set to ERROR although it runs. */
import { BlockedRefusal } from '../../../../../clouds/cloud-driver';
import { ServiceError } from '../../../../../clouds/openstack/http/service-error';
import { resetState } from '../../../../../clouds/openstack/moves/reset-state';
import type { NovaApi } from '../../../../../clouds/openstack/nova/nova-api';
import { aNovaServer } from '../../../../builders/a-nova-server';

const broken = aNovaServer({ status: 'ERROR', 'OS-EXT-STS:power_state': 1 });

const resetting = (act: NovaApi['act']) => {
  const nova: Partial<NovaApi> = { act };
  return resetState({ nova: nova as NovaApi }, broken);
};

const answering = (status: number, reason: string) => () => Promise.reject(new ServiceError('no', status, reason));

it('is reset', async () => {
  const acts: unknown[] = [];
  await resetting((id, action) => Promise.resolve(`request-${acts.push([id, action])}`));
  expect(acts).toEqual([[broken.id, { 'os-resetState': { state: 'active' } }]]);
});

it('is not moved without the right to do so, and the refusal names that right', async () => {
  const rule = 'os_compute_api:os-admin-actions:reset_state';
  const refusal = await resetting(answering(403, `Policy doesn't allow ${rule} to be performed.`)).catch(
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(BlockedRefusal);
  expect(refusal).toMatchObject({
    message:
      'Cannot move instance web-1 (server-1), which runs although Nova has set it to ERROR: ' +
      `Policy doesn't allow ${rule} to be performed. Allow ${rule} to the role of the service, ` +
      'or reset its state (openstack server set --state active).',
  });
});

it('is tried again where Nova does not answer', async () => {
  await expect(resetting(answering(503, 'away'))).rejects.toMatchObject({ name: 'ServiceError' });
});
