/** One host: what it waits for, what is on it, and what one can ask for it. */
import { useState } from 'preact/hooks';
import { hostStanding } from '../../rules/obstacles/host-standing';
import { inWords } from '../../rules/reasons/in-words';
import { withShortIds } from '../../rules/words/names';
import { phaseWords } from '../../rules/words/phases';
import type { Detail, Host, Summary } from '../client/types';
import { nowMs } from '../live/clock';
import { secondsSince, type Seen } from '../live/count-down';
import { Chip } from '../parts/chip';
import { Dialog } from '../parts/dialog';
import { FurtherReason } from '../parts/further-reason';
import { Left, Moment } from '../parts/times';
import { phaseTones } from '../parts/words-of-progress';
import { AskRequest } from './ask-request';
import { HostInstances } from './host-instances';
import { lookAgain, type SessionLooks } from './session-looks';

interface HostDialogProps {
  readonly host: Host;
  readonly detail: Detail;
  readonly seen: Seen<Summary>;
  readonly looks: SessionLooks;
  readonly onClose: () => void;
}

const verbs = {
  first: 'Drain it first',
  skip: 'Skip it',
  retry: 'Retry it',
  ignore: 'Ignore what it waits for',
} as const;
const requests = ['first', 'skip', 'retry', 'ignore'] as const;

/** The API decides; these would be refused in any case. */
const mayAsk = (host: Host, request: (typeof requests)[number]): boolean => {
  const isLeftOut = host.phase === 'set_aside' || host.phase === 'skipped';
  if (host.phase === 'maintained') return false;
  if (request === 'ignore') return mayIgnore(host);
  return request === 'retry' ? isLeftOut : !isLeftOut;
};

/** Something on it, or something that it lacks after its maintenance. */
const mayIgnore = ({ phase, waiting }: Host): boolean =>
  waiting?.waiting_for === 'content' ||
  waiting?.waiting_for === 'move' ||
  (waiting?.waiting_for === 'start' && phase === 'maintaining');

export const HostDialog = ({ host, detail, seen, looks, onClose }: HostDialogProps) => {
  const [asked, ask] = useState<(typeof requests)[number] | undefined>(undefined);
  const { hostname, waiting, details } = host;
  if (asked !== undefined) {
    const back = (): void => ask(undefined);
    return (
      <AskRequest
        request={asked}
        summary={seen.body}
        hosts={[hostname]}
        onClose={back}
        onDone={() => lookAgain(looks)}
      />
    );
  }
  return (
    <Dialog title={hostname} onClose={onClose} isWide>
      <div class="stack">
        <PhaseLine host={host} />
        {waiting !== null && (
          <p>
            Waits for <strong>{inWords(waiting)}</strong>{' '}
            <Left seconds={waiting.remaining_seconds} atMs={atOf(looks)} />
            <FurtherReason wait={waiting} />
          </p>
        )}
        {waiting === null && <p>{standingOf(host, detail, seen.body)}</p>}
        {details !== '' && <p class="note">{withShortIds(details)}</p>}
        <HostInstances
          instances={detail.instances.filter((instance) => instance.host === hostname)}
          hostname={hostname}
          waits={detail.session.waiting}
          atMs={atOf(looks)}
        />
        <HostButtons host={host} onAsk={ask} />
      </div>
    </Dialog>
  );
};

/** Where it waits for nothing. */
const standingOf = (
  { hostname, phase }: Host,
  { instances, session: { waiting } }: Detail,
  session: Summary,
): string => {
  const waits = new Set(waiting.map(({ who }) => who));
  const there = instances.filter(({ host, state }) => host === hostname && state !== 'DELETED');
  const moving = there.filter(
    ({ instance_id: id, action, action_done: isDone, details }) =>
      action !== null && !isDone && details === null && !waits.has(id),
  );
  return hostStanding(phase, { session, instances: there.length, moving: moving.length }).words;
};

const PhaseLine = ({ host: { phase, phase_since: since, type, disabled } }: { readonly host: Host }) => (
  <p>
    <Chip tone={phaseTones[phase]}>{phaseWords[phase]}</Chip> since <Moment at={since} />
    <span class="hint">
      {' '}
      {type}
      {disabled ? ', disabled by the session' : ''}
    </span>
  </p>
);

interface HostButtonsProps {
  readonly host: Host;
  readonly onAsk: (request: (typeof requests)[number]) => void;
}

const HostButtons = ({ host, onAsk }: HostButtonsProps) => (
  <div class="buttons">
    {requests
      .filter((request) => mayAsk(host, request))
      .map((request) => (
        <button key={request} class="button" onClick={() => onAsk(request)}>
          {verbs[request]}
        </button>
      ))}
  </div>
);

const atOf = (looks: SessionLooks): number => looks.hosts.seen.value?.atMs ?? nowMs.peek() - secondsSince(0, 0);
