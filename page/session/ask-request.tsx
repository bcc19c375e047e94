/** Asks for the confirmation of a request, and sends its request. */
import { useState } from 'preact/hooks';
import type { Api, HostRequest } from '../client/api';
import type { Summary } from '../client/types';
import { Confirm } from '../parts/confirm';
import { TextField } from '../parts/fields';
import { goTo } from '../route';
import { useSignedIn } from '../signed-in';
import { type AdminRequest, askingFor, statesToContinue } from './requests';

export interface AskRequestProps {
  readonly request: AdminRequest;
  readonly summary: Summary;
  /** The hosts to choose from, where the request is about one. */
  readonly hosts: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface Chosen {
  readonly sessionId: string;
  readonly host: string;
  /** Empty: the one before it failed. */
  readonly state: string;
  /** For the record; empty: none. */
  readonly reason: string;
}

const hostRequests: readonly string[] = ['skip', 'retry', 'first', 'ignore'] satisfies readonly HostRequest[];

const isOfHost = (request: AdminRequest): request is HostRequest => hostRequests.includes(request);

const send = (api: Api, request: AdminRequest, { sessionId, host, state, reason }: Chosen): Promise<unknown> => {
  if (isOfHost(request)) return api.host({ sessionId, hostname: host }, request, reason);
  switch (request) {
    case 'pause':
    case 'resume':
    case 'abort':
      return api.request(sessionId, request, reason);
    case 'continue':
      return api.continueFrom(sessionId, state === '' ? undefined : state, reason);
    case 'archive':
      return api.archive(sessionId, reason);
    case 'delete':
      return api.remove(sessionId, reason).then(() => goTo({ name: 'home' }));
  }
};

export const AskRequest = ({ request, summary, hosts, onClose, onDone }: AskRequestProps) => {
  const { api } = useSignedIn();
  const [host, setHost] = useState(hosts[0] ?? '');
  const [state, setState] = useState('');
  const [reason, setReason] = useState('');
  const asking = askingFor(request, summary, host === '' ? undefined : host);
  const act = () => send(api, request, { sessionId: summary.session_id, host, state, reason }).finally(onDone);
  return (
    <Confirm {...asking} about={`${host} ${state}`} act={act} onClose={onClose}>
      {hosts.length > 1 && (
        <label class="field">
          <span>Host</span>
          <select value={host} onChange={({ currentTarget: { value } }) => setHost(value)}>
            {hosts.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      {request === 'continue' && (
        <label class="field">
          <span>From the state</span>
          <select value={state} onChange={({ currentTarget: { value } }) => setState(value)}>
            <option value="">{summary.prev_state} (before it failed)</option>
            {statesToContinue
              .filter((one) => one !== summary.prev_state)
              .map((one) => (
                <option key={one}>{one}</option>
              ))}
          </select>
        </label>
      )}
      <TextField label="Reason" hint="for the record; may be empty" value={reason} onChange={setReason} />
    </Confirm>
  );
};
