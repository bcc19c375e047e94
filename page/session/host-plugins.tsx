/** The plug-ins that ran on a host: how each run ended, and everything that is kept of what it wrote. */
import type { Detail } from '../client/types';
import { Chip, type Tone } from '../parts/chip';
import { CopyButton } from '../parts/copy-button';
import { Moment } from '../parts/times';

type PluginRun = Detail['action_plugin_instances'][number];

const tones: Readonly<Record<PluginRun['status'], Tone>> = { running: 'busy', done: 'good', failed: 'bad' };

export const HostPlugins = ({ runs }: { readonly runs: readonly PluginRun[] }) =>
  runs.length === 0 ? null : (
    <ul class="plain-list" aria-label="Plug-ins">
      {runs.map((run) => (
        <li key={run.id}>
          <Chip tone={tones[run.status]}>{run.status}</Chip> <strong>{run.plugin}</strong>{' '}
          <span class="hint">
            plug-in, {run.attempts > 1 && `started ${run.attempts} times, `}
            <Moment at={run.updated_at ?? run.created_at} seconds />
          </span>
          <Output run={run} />
        </li>
      ))}
    </ul>
  );

/** Lines keep their form, and a path can be copied whole. */
const Output = ({ run: { plugin, state } }: { readonly run: PluginRun }) =>
  state === null || state === '' ? null : (
    <div class="log">
      <pre tabIndex={0} role="region" aria-label={`What ${plugin} wrote last`}>
        {state}
      </pre>
      <CopyButton text={state} what={`what ${plugin} wrote last`} />
    </div>
  );
