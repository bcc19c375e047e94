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
        {instances.map(
          ({
            id,
            instance_id: instanceId,
            instance_name: name,
            state,
            action,
            action_done: isDone,
            project_state: reply,
          }) => (
            <tr key={id}>
              <th scope="row" title={instanceId}>
                {name}
              </th>
              <td>{state}</td>
              <td>{action === null ? '–' : `${action}${isDone ? ', done' : ''}`}</td>
              <td>{reply === '' ? '–' : reply}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
};
