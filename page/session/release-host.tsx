/** Releases a host that a person works on: the work is done, or it has failed. */
import { useState } from 'preact/hooks';
import { Confirm } from '../parts/confirm';
import { Choice, TextField } from '../parts/fields';
import { useSignedIn } from '../signed-in';

interface ReleaseHostProps {
  readonly sessionId: string;
  readonly hostname: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const outcomes = [
  ['done', 'is done: the session goes on with the host'],
  ['failed', 'has failed: the host is taken for broken'],
] as const;
type Outcome = (typeof outcomes)[number][0];

export const ReleaseHost = ({ sessionId, hostname, onClose, onDone }: ReleaseHostProps) => {
  const { api } = useSignedIn();
  const [outcome, setOutcome] = useState<Outcome>('done');
  const [note, setNote] = useState('');
  const act = () => api.release({ sessionId, hostname }, { outcome, note }).finally(onDone);
  return (
    <Confirm
      title="Release a host"
      says={[`The session waits with ${hostname} in hand until the work of a person on it is over.`]}
      verb="Release it"
      isDangerous={outcome === 'failed'}
      about={outcome}
      act={act}
      onClose={onClose}
    >
      <Choice label="The work" value={outcome} options={outcomes} onChange={setOutcome} />
      <TextField label="Note" hint="for the record; may be empty" value={note} onChange={setNote} />
    </Confirm>
  );
};
