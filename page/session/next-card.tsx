/** The requests that the session allows now, each with its effect. */
import { useState } from 'preact/hooks';
import type { NextStep, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { AskControl } from './ask-control';
import { lookAgain, type SessionLooks } from './session-looks';
import { SteerButton } from './steer-button';

const verbs: Readonly<Record<NextStep['request'], string>> = {
  resume: 'Resume',
  continue: 'Continue',
  retry: 'Retry a host',
  skip: 'Skip a host',
  pause: 'Pause',
  abort: 'Abort',
  delete: 'Delete',
};

export const NextCard = ({ seen, looks }: { readonly seen: Seen<Summary>; readonly looks: SessionLooks }) => {
  const [asked, ask] = useState<NextStep | undefined>(undefined);
  const { next } = seen.body;
  return (
    <section class="card" aria-labelledby="next">
      <h2 id="next">What you can do</h2>
      <ul class="plain-list steps">
        {next.map((step) => (
          <li key={step.request}>
            <button class="button" onClick={() => ask(step)}>
              {step.hosts.length === 1
                ? `${verbs[step.request].split(' ')[0] ?? ''} ${step.hosts[0] ?? ''}`
                : verbs[step.request]}
            </button>
            <span class="hint">{step.because}</span>
          </li>
        ))}
        <li>
          <SteerButton summary={seen.body} looks={looks} />
          <span class="hint">limits, canary, windows, deadline, and what follows when a project does not agree</span>
        </li>
      </ul>
      {asked !== undefined && (
        <AskControl
          control={asked.request}
          summary={seen.body}
          hosts={asked.hosts}
          onClose={() => ask(undefined)}
          onDone={() => lookAgain(looks)}
        />
      )}
    </section>
  );
};
