/** The instances of a project in sessions that are not done. */
import { shortId } from '../../rules/words/times';
import type { Project } from '../client/types';

export const InstanceTable = ({ instances }: { readonly instances: Project['instances'] }) => (
  <section aria-labelledby="instances">
    <h2 id="instances">Your instances in maintenance</h2>
    {instances.length === 0 ? (
      <p class="hint">None.</p>
    ) : (
      <div class="scrolls" tabIndex={0} role="region" aria-label="Table of your instances">
        <table>
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col">State</th>
              <th scope="col">Action</th>
              <th scope="col">Your reply</th>
              <th scope="col">Session</th>
            </tr>
          </thead>
          <tbody>
            {instances.map((one) => (
              <tr key={`${one.session_id} ${one.instance_id}`}>
                <th scope="row" title={one.instance_id}>
                  {one.instance_name}
                </th>
                <td>{one.state}</td>
                <td>{one.action === null ? '–' : `${one.action}${one.action_done ? ', done' : ''}`}</td>
                <td>{one.project_state === '' ? '–' : one.project_state}</td>
                <td>{shortId(one.session_id)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
