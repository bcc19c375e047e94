/** What the API remembers of the cloud about whom instances and groups belong to. */
import { type KnownOwners, rememberOwners } from '../../../api/services/known-owners';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { idOf } from '../../../rules/cloud/id';

const [project, instance, group] = ['P-1', 'I-1', 'G-1'];

const aCloud = () => {
  const known = { isThere: true };
  const findInstance = jest.fn(() => Promise.resolve(known.isThere ? { projectId: project } : undefined));
  const listGroups = jest.fn(() => Promise.resolve(known.isThere ? [{ groupId: group, projectId: project }] : []));
  const clock = { nowMs: 0 };
  // The calls that are made here.
  const cloud = { name: 'recorded', findInstance, listGroups } as unknown as CloudDriver;
  return { known, clock, findInstance, listGroups, owners: rememberOwners(cloud, () => clock.nowMs) };
};

const ownerOfGroup = async (owners: KnownOwners, groupId: string) =>
  (await owners.ofGroups([idOf(groupId)])).get(idOf(groupId).key);

it('asks once in a minute for what the cloud knows, whatever the form of the ID', async () => {
  const { clock, findInstance, listGroups, owners } = aCloud();
  for (const form of [instance, instance.toLowerCase(), 'i1']) {
    expect((await owners.ofInstance(idOf(form)))?.key).toBe(idOf(project).key);
  }
  for (const form of [group, 'g1']) expect((await ownerOfGroup(owners, form))?.key).toBe(idOf(project).key);
  expect([findInstance, listGroups].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  clock.nowMs = 60_000;
  await owners.ofInstance(idOf(instance));
  await ownerOfGroup(owners, group);
  expect([findInstance, listGroups].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
});

it('asks each time for what the cloud does not know', async () => {
  const { known, owners } = aCloud();
  known.isThere = false;
  expect(await owners.ofInstance(idOf(instance))).toBeUndefined();
  expect(await ownerOfGroup(owners, group)).toBeUndefined();
  known.isThere = true;
  expect((await owners.ofInstance(idOf(instance)))?.text).toBe(project);
  expect((await ownerOfGroup(owners, group))?.text).toBe(project);
});

it('asks once for many groups, of which the cloud knows few', async () => {
  const { listGroups, owners } = aCloud();
  const ids = Array.from({ length: 1_000 }, (_, index) => idOf(`G-${index}`));
  expect([...(await owners.ofGroups(ids)).keys()]).toEqual([idOf(group).key]);
  expect(listGroups).toHaveBeenCalledTimes(1);
});
