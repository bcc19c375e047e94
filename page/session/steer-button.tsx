/** Changes how a session is steered: what is changed in the form, and nothing else. */
import { useState } from 'preact/hooks';
import type { HostsInTime, Summary } from '../client/types';
import { Confirm } from '../parts/confirm';
import { TextField } from '../parts/fields';
import { changeFrom, draftOf, mayEvict } from '../plan/draft';
import { SteeringFields } from '../plan/steering-fields';
import { useSignedIn } from '../signed-in';
import { lookAgain, type SessionLooks } from './session-looks';

export const SteerButton = ({ summary, looks }: { readonly summary: Summary; readonly looks: SessionLooks }) => {
  const [detail, open] = useState<HostsInTime | undefined>(undefined);
  const known = looks.hosts.seen.value?.body;
  return (
    <>
      <button class="button" disabled={known === undefined || summary.progress === 'done'} onClick={() => open(known)}>
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
  const names = Object.keys(change);
  return (
    <Confirm
      title="Steer the session"
      verb="Change"
      isWide
      says={[
        names.length === 0
          ? 'Change what you like; the session looks at it at once.'
          : `It changes ${names.join(', ')}, and leaves everything else as it is.`,
      ]}
      isReady={names.length > 0}
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
