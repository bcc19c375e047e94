/** The requests that the session allows now, each with its effect. */
import { useState } from 'preact/hooks';
import type { NextStep, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { AskRequest } from './ask-request';
import { isAskedTwice } from './requests';
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

const isDangerous = ({ request }: NextStep): boolean => isAskedTwice(request);

interface StepProps {
  readonly step: NextStep;
  readonly ask: (step: NextStep) => void;
}

const Step = ({ step, ask }: StepProps) => {
  const { request, hosts, because } = step;
  const [verb = ''] = verbs[request].split(' ');
  return (
    <li>
      <button class={`button ${isDangerous(step) ? 'danger' : ''}`} onClick={() => ask(step)}>
        {hosts.length === 1 ? `${verb} ${hosts[0] ?? ''}` : verbs[request]}
      </button>
      <span class="hint">{because}</span>
    </li>
  );
};

export const NextCard = ({ seen, looks }: { readonly seen: Seen<Summary>; readonly looks: SessionLooks }) => {
  const [asked, ask] = useState<NextStep | undefined>(undefined);
  const { next } = seen.body;
  return (
    <section class="card" aria-labelledby="next">
      <h2 id="next">What you can do</h2>
      <ul class="plain-list steps">
        {next
          .filter((step) => !isDangerous(step))
          .map((step) => (
            <Step key={step.request} step={step} ask={ask} />
          ))}
        <li>
          <SteerButton summary={seen.body} looks={looks} />
          <span class="hint">limits, canary, windows, deadline, and what follows when a project does not agree</span>
        </li>
      </ul>
      <ul class="plain-list steps apart" aria-label="Ends the session">
        {next.filter(isDangerous).map((step) => (
          <Step key={step.request} step={step} ask={ask} />
        ))}
      </ul>
      {asked !== undefined && (
        <AskRequest
          request={asked.request}
          summary={seen.body}
          hosts={asked.hosts}
          onClose={() => ask(undefined)}
          onDone={() => lookAgain(looks)}
        />
      )}
    </section>
  );
};
