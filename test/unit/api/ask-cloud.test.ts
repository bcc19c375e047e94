import { askCloud } from '../../../api/services/ask-cloud';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import type { MissingRight } from '../../../rules/cloud/cloud-facts';

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

it('names the rights that the login lacks where the cloud refuses for them', async () => {
  const right = (rule: string, severity: MissingRight['severity']) => ({ rule, severity, neededTo: 'list servers' });
  const missingRights = () => Promise.resolve([right('a:list', 'stops'), right('b:names', 'limits')]);
  const hiding = { ...cloud, missingRights };
  const refusal = new Error('Nova hides the host of server web');
  await expect(askCloud(hiding, () => Promise.reject(refusal))).rejects.toMatchObject({
    problem: {
      ...{ status: 503, code: 'CLOUD_RIGHT_MISSING' },
      detail: 'the login to the cloud lacks the right a:list, needed to list servers; nothing was stored',
    },
    cause: refusal,
  });
});
