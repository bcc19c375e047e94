/** Changes how a session is steered: what is changed in the form, and nothing else. */
import { useState } from 'preact/hooks';
import type { HostsInTime, Summary } from '../client/types';
import { Confirm } from '../parts/confirm';
import { TextField } from '../parts/fields';
import { changeFrom, draftOf, mayEvict } from '../plan/draft';
import { changeInWords } from '../plan/draft-in-words';
import { SteeringFields } from '../plan/steering-fields';
import { useSignedIn } from '../signed-in';
import { lookAgain, type SessionLooks } from './session-looks';

const notKnown = 'how it is steered is not known yet';

export const SteerButton = ({ summary, looks }: { readonly summary: Summary; readonly looks: SessionLooks }) => {
  const [detail, open] = useState<HostsInTime | undefined>(undefined);
  const known = looks.hosts.seen.value?.body;
  const whyNot = summary.progress === 'done' ? 'it is over' : known === undefined ? notKnown : undefined;
  return (
    <>
      {/* It can be reached where it cannot be pressed, so that it tells why. */}
      <button
        class="button"
        aria-disabled={whyNot !== undefined}
        title={whyNot && `It cannot be pressed: ${whyNot}`}
        onClick={() => whyNot === undefined && open(known)}
      >
        Steer
      </button>
      {detail !== undefined && <Steer detail={detail} looks={looks} onClose={() => open(undefined)} />}
    </>
  );
};

interface SteerProps {
  /** The session as it was when the form was opened: what others change meanwhile stays. */
  readonly detail: HostsInTime;
  readonly looks: SessionLooks;
  readonly onClose: () => void;
}

const Steer = ({ detail, looks, onClose }: SteerProps) => {
  const { api } = useSignedIn();
  const [before] = useState(() => draftOf(detail.session));
  const [draft, setDraft] = useState(before);
  const [reason, setReason] = useState('');
  const change = changeFrom(before, draft);
  return (
    <Confirm
      title="Steer the session"
      verb="Change"
      isWide
      says={[changeInWords(change)]}
      isReady={Object.keys(change).length > 0}
      about={draft}
      act={() => api.change(detail.session_id, change, reason).finally(() => lookAgain(looks))}
      onClose={onClose}
    >
      <SteeringFields
        draft={draft}
        onChange={(changed) => setDraft({ ...draft, ...changed })}
        hasEviction={mayEvict(detail.session.workflow) || detail.session.eviction !== null}
      />
      <TextField label="Reason" hint="for the record; may be empty" value={reason} onChange={setReason} />
    </Confirm>
  );
};
