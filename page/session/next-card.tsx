/** The requests that the session allows now, each with its effect. */
import { useState } from 'preact/hooks';
import type { NextStep, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { AskRequest } from './ask-request';
import { type Place, placesOf } from './places';
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
  archive: 'Archive',
  delete: 'Delete',
};

/** What is said where the session does not allow it now. */
const notNow: Readonly<Record<NextStep['request'], string>> = {
  resume: 'it is not paused',
  continue: 'it has not failed',
  retry: 'no host was skipped or set aside',
  skip: 'no host under work waits',
  pause: 'nothing begins any more',
  abort: 'it is over, or ends already',
  archive: 'it is not over, or is archived',
  delete: 'it is being deleted',
};

interface StepProps {
  readonly place: Place;
  readonly ask: (step: NextStep) => void;
}

const Step = ({ place: { request, step }, ask }: StepProps) => (
  <li>
    <button
      class={`button ${isAskedTwice(request) ? 'danger' : ''}`}
      disabled={step === undefined}
      onClick={() => step && ask(step)}
    >
      {verbs[request]}
    </button>
    <span class="hint">{step === undefined ? notNow[request] : becauseOf(step)}</span>
  </li>
);

const becauseOf = ({ because, hosts }: NextStep): string =>
  hosts.length === 1 ? `${hosts[0] ?? ''}: ${because}` : because;

export const NextCard = ({ seen, looks }: { readonly seen: Seen<Summary>; readonly looks: SessionLooks }) => {
  const [asked, ask] = useState<NextStep | undefined>(undefined);
  const { plain, apart } = placesOf(seen.body.next);
  return (
    <section class="card" aria-labelledby="next">
      <h2 id="next">What you can do</h2>
      <ul class="plain-list steps">
        {plain.map((place, at) => (
          <Step key={at} place={place} ask={ask} />
        ))}
        <li>
          <SteerButton summary={seen.body} looks={looks} />
          <span class="hint">limits, canary, windows, deadline, and what follows when a project does not agree</span>
        </li>
      </ul>
      <ul class="plain-list steps apart" aria-label="Ends the session">
        {apart.map((place, at) => (
          <Step key={at} place={place} ask={ask} />
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
