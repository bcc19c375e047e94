import { exampleFile } from '../../../cli/demo/demo-settings';
import { managedProjects, projectNames, readDescriptor } from '../../../cli/demo/projects';
import { readFleetFile } from '../../../clouds/simulated/fleet-file';

describe('the files of the demo', () => {
  it('hold 10 hosts and 60 instances of four projects', async () => {
    const { hosts, instances, projects = [] } = await readFleetFile(exampleFile('fleet.json'));
    expect(new Map(projects.map(({ projectId, name }) => [projectId, name]))).toEqual(projectNames());
    expect([hosts.length, instances.length]).toEqual([10, 60]);
    expect(new Set(instances.map(({ projectId }) => projectId))).toEqual(new Set(projectNames().keys()));
  });

  it.each(managedProjects)('describe just the instances that %s has', async (project) => {
    const { instances } = await readFleetFile(exampleFile('fleet.json'));
    const { project_id, instances: described } = readDescriptor(project);
    const own = instances.filter(({ projectId }) => projectId === project_id);
    expect(described.map(({ instance_id }) => instance_id).sort()).toEqual(
      own.map(({ instanceId }) => instanceId).sort(),
    );
  });
});
