/** The instances that are on a host, as the session knows them, each with the reason why it waits. */
import { inWords } from '../../rules/reasons/in-words';
import type { Detail, Instance } from '../client/types';
import { FurtherReason } from '../parts/further-reason';
import { Left } from '../parts/times';

type InstanceWait = Detail['session']['waiting'][number];

interface HostInstancesProps {
  readonly instances: readonly Instance[];
  readonly hostname: string;
  /** The waits of the whole session. */
  readonly waits: readonly InstanceWait[];
  /** When they were told. */
  readonly atMs: number;
}

export const HostInstances = ({ instances, hostname, waits, atMs }: HostInstancesProps) => {
  if (instances.length === 0) return null;
  return (
    <ul class="plain-list" aria-label={`Instances on ${hostname}`}>
      {instances.map((instance) => (
        <li key={instance.id}>
          <strong title={instance.instance_id}>{instance.instance_name}</strong>{' '}
          <span class="hint">{factsOf(instance)}</span>
          {waits
            .filter(({ who }) => who === instance.instance_id)
            .map((wait) => (
              <p key={wait.waiting_for} class="wait-row">
                <span>
                  waits for {inWords(wait)}
                  <FurtherReason wait={wait} />
                </span>
                <Left seconds={wait.remaining_seconds} atMs={atMs} />
              </p>
            ))}
        </li>
      ))}
    </ul>
  );
};

const factsOf = ({ state, action, action_done: isDone, project_state: reply }: Instance): string =>
  [state, ...(action === null ? [] : [isDone ? `${action}, done` : action]), ...(reply === '' ? [] : [reply])].join(
    ', ',
  );
