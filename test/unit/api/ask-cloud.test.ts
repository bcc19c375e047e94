import { askCloud } from '../../../api/services/ask-cloud';
import type { CloudDriver } from '../../../clouds/cloud-driver';

const cloud = { name: 'silent' } as CloudDriver;

it('gives up a cloud that does not answer in time, with the cloud named and the reason as cause', async () => {
  const asking = askCloud(cloud, () => new Promise<never>(() => undefined), 10);
  await expect(asking).rejects.toMatchObject({
    problem: { status: 503, code: 'CLOUD_AWAY', detail: expect.stringContaining('the silent cloud') as unknown },
    cause: new Error('no answer within 0.01 s'),
  });
});

it('passes on what the cloud answers', async () => {
  await expect(askCloud(cloud, ({ name }) => Promise.resolve(name))).resolves.toBe('silent');
});
