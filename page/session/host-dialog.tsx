/** One host: what it waits for, what is on it, and what one can ask for it. */
import { useState } from 'preact/hooks';
import { hostStanding } from '../../rules/obstacles/host-standing';
import { countsOn, instancesOn } from '../../rules/obstacles/on-host';
import { inWords } from '../../rules/reasons/in-words';
import { firstLineOf } from '../../rules/words/failure-of-host';
import { withShortIds } from '../../rules/words/names';
import { phaseWords } from '../../rules/words/phases';
import { asSeen } from '../../rules/words/what-they-see';
import type { Host, Summary } from '../client/types';
import { nowMs } from '../live/clock';
import type { Seen } from '../live/count-down';
import { Chip } from '../parts/chip';
import { Dialog } from '../parts/dialog';
import { FurtherReason } from '../parts/further-reason';
import { LookNote } from '../parts/look-note';
import { Left, Moment } from '../parts/times';
import { phaseTones } from '../parts/words-of-progress';
import { AskRequest } from './ask-request';
import { HostInstances } from './host-instances';
import { HostPlugins } from './host-plugins';
import { ReleaseHost } from './release-host';
import { lookAgain, type SessionLooks, useHostLook } from './session-looks';

interface HostDialogProps {
  readonly host: Host;
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
type AskedOfHost = (typeof requests)[number] | 'release';

/** Its phase says it, and the reason stands beside it. */
const isLeftOut = ({ phase }: Pick<Host, 'phase'>): boolean => phase === 'set_aside' || phase === 'skipped';

/** The API decides; these would be refused in any case. */
const mayAsk = (host: Host, request: (typeof requests)[number]): boolean => {
  if (host.phase === 'maintained') return false;
  if (request === 'ignore') return mayIgnore(host);
  return (request === 'retry') === isLeftOut(host);
};

/** Something on it, or something that it lacks after its maintenance. */
const mayIgnore = ({ phase, waiting }: Host): boolean =>
  waiting?.waiting_for === 'content' ||
  waiting?.waiting_for === 'move' ||
  (waiting?.waiting_for === 'start' && phase === 'maintaining');

export const HostDialog = ({ host, seen, looks, onClose }: HostDialogProps) => {
  const [asked, ask] = useState<AskedOfHost | undefined>(undefined);
  const { hostname, waiting, details } = host;
  const back = (): void => ask(undefined);
  if (asked === 'release') {
    const sessionId = seen.body.session_id;
    return <ReleaseHost {...{ sessionId, hostname }} onClose={back} onDone={() => lookAgain(looks)} />;
  }
  if (asked !== undefined) {
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
        {details !== '' && <p class="note">{withShortIds(asSeen(firstLineOf(details), 'page'))}</p>}
        <OnHost host={host} session={seen.body} />
        <HostButtons host={host} onAsk={ask} />
      </div>
    </Dialog>
  );
};

/** How it stands, where it waits for nothing, and all that is on it. */
const OnHost = ({
  host: { hostname, phase, waiting },
  session,
}: {
  readonly host: Host;
  readonly session: Summary;
}) => {
  const look = useHostLook(session.session_id, hostname);
  const whole = look.seen.value;
  if (whole === undefined) return <LookNote look={look} />;
  const { body: detail, atMs } = whole;
  return (
    <>
      <LookNote look={look} />
      <HostPlugins runs={detail.action_plugin_instances} />
      {waiting === null && !isLeftOut({ phase }) && (
        <p>{hostStanding(phase, { session, ...countsOn(detail, hostname) }).words}</p>
      )}
      <HostInstances
        instances={instancesOn(detail, hostname)}
        hostname={hostname}
        waits={detail.session.waiting}
        atMs={atMs}
      />
    </>
  );
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
  readonly onAsk: (request: AskedOfHost) => void;
}

const HostButtons = ({ host, onAsk }: HostButtonsProps) => (
  <div class="buttons">
    {host.waiting?.waiting_for === 'release' && (
      <button class="button primary" onClick={() => onAsk('release')}>
        Release it
      </button>
    )}
    {requests
      .filter((request) => mayAsk(host, request))
      .map((request) => (
        <button key={request} class="button" onClick={() => onAsk(request)}>
          {verbs[request]}
        </button>
      ))}
  </div>
);

const atOf = (looks: SessionLooks): number => looks.hosts.seen.value?.atMs ?? nowMs.peek();
