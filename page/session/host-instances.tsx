/** The instances that are on a host, as the session knows them. */
import type { Instance } from '../client/types';

export const HostInstances = ({
  instances,
  hostname,
}: {
  readonly instances: readonly Instance[];
  readonly hostname: string;
}) => {
  if (instances.length === 0) return null;
  return (
    <table aria-label={`Instances on ${hostname}`}>
      <thead>
        <tr>
          <th scope="col">Instance</th>
          <th scope="col">State</th>
          <th scope="col">Action</th>
          <th scope="col">Reply</th>
        </tr>
      </thead>
      <tbody>
        {instances.map((instance) => (
          <InstanceRow key={instance.id} instance={instance} />
        ))}
      </tbody>
    </table>
  );
};

const InstanceRow = ({ instance }: { readonly instance: Instance }) => {
  const { action, project_state: reply } = instance;
  return (
    <tr>
      <th scope="row" title={instance.instance_id}>
        {instance.instance_name}
      </th>
      <td>{instance.state}</td>
      <td>{action === null ? '–' : `${action}${instance.action_done ? ', done' : ''}`}</td>
      <td>{reply === '' ? '–' : reply}</td>
    </tr>
  );
};
