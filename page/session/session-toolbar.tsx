/** The requests of a session, each in its place: none moves while somebody is about to press it. */
import { useState } from 'preact/hooks';
import type { NextStep, Summary } from '../client/types';
import type { Seen } from '../live/count-down';
import { useSignedIn } from '../signed-in';
import { AskRequest } from './ask-request';
import { type Place, placesOf } from './places';
import { ReportButton } from './report-button';
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

/** The requests that make a session go on, which has stopped. */
const primary: readonly NextStep['request'][] = ['resume', 'continue'];

interface StepProps {
  readonly place: Place;
  readonly ask: (step: NextStep) => void;
}

/** Its button can be reached where it cannot be pressed, so that it tells why. */
const Step = ({ place: { request, step }, ask }: StepProps) => (
  <button
    class={`button ${primary.includes(request) && step !== undefined ? 'primary' : ''}`}
    aria-disabled={step === undefined}
    title={step === undefined ? `It cannot be pressed: ${notNow[request]}` : becauseOf(step)}
    onClick={() => step && ask(step)}
  >
    {verbs[request]}
  </button>
);

const becauseOf = ({ because, hosts }: NextStep): string =>
  hosts.length === 1 ? `${hosts[0] ?? ''}: ${because}` : because;

interface ToolbarProps {
  readonly seen: Seen<Summary>;
  readonly looks: SessionLooks;
}

export const SessionToolbar = ({ seen, looks }: ToolbarProps) => {
  const { ways } = useSignedIn();
  const [asked, ask] = useState<NextStep | undefined>(undefined);
  const { plain, apart } = placesOf(seen.body.next);
  const { session_id: id } = seen.body;
  return (
    <div class="toolbar" role="group" aria-label="What you can do">
      {plain.map((place, at) => (
        <Step key={at} place={place} ask={ask} />
      ))}
      <SteerButton summary={seen.body} looks={looks} />
      <span class="toolbar-gap" />
      <ReportButton sessionId={id} />
      {ways.temporal_ui_url !== undefined && (
        <a class="button" href={`${ways.temporal_ui_url}/${id}`} target="_blank" rel="noreferrer">
          Open in Temporal
        </a>
      )}
      <span class="toolbar-gap" />
      {apart.map((place, at) => (
        <Step key={at} place={place} ask={ask} />
      ))}
      {asked !== undefined && (
        <AskRequest
          request={asked.request}
          summary={seen.body}
          hosts={asked.hosts}
          onClose={() => ask(undefined)}
          onDone={() => lookAgain(looks)}
        />
      )}
    </div>
  );
};
