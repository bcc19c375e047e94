/** What happened in the session, in words: its last events, and who did what, when and why. */
import { useState } from 'preact/hooks';
import { hashOf } from '../address';
import { Check, Select } from '../parts/fields';
import { LookNote } from '../parts/look-note';
import { Ago } from '../parts/times';
import { byHost, type Happening, happeningsOf, projectsIn } from './happenings';
import type { SessionLooks } from './session-looks';

interface PartProps {
  readonly looks: SessionLooks;
  readonly sessionId: string;
}

export const HappeningsPart = ({ looks: { events, record }, sessionId }: PartProps) => {
  const [project, choose] = useState('');
  const [isByHost, group] = useState(false);
  const all = happeningsOf(events.seen.value?.body ?? [], record.seen.value?.body ?? []);
  const projects = projectsIn(all);
  // The chosen tenant may have left the last events.
  const chosen = projects.some(([id]) => id === project) ? project : '';
  const shown = all.filter(({ projectId }) => chosen === '' || projectId === chosen);
  return (
    <section aria-labelledby="happened">
      <div class="part-head">
        <h2 id="happened">What happened</h2>
        <Select
          isLabelHidden
          label="Of the tenant"
          options={[['', 'All tenants'], ...projects]}
          value={chosen}
          onChange={choose}
        />
        <Check label="by host" isChecked={isByHost} onChange={group} />
      </div>
      <LookNote look={events} />
      <LookNote look={record} />
      {events.seen.value !== undefined && shown.length === 0 && <p class="hint">Nothing yet.</p>}
      {isByHost ? (
        byHost(shown).map(({ host, happenings }) => (
          <div key={host ?? ''} class="group">
            <h3>{host === null ? 'The session' : <HostLink sessionId={sessionId} hostname={host} />}</h3>
            <List happenings={happenings} label={host ?? 'The session'} />
          </div>
        ))
      ) : (
        <List happenings={shown} label="Events" />
      )}
    </section>
  );
};

const HostLink = ({ sessionId, hostname }: { readonly sessionId: string; readonly hostname: string }) => (
  <a href={hashOf({ name: 'session', sessionId, hostname })}>{hostname}</a>
);

const List = ({ happenings, label }: { readonly happenings: readonly Happening[]; readonly label: string }) => (
  <ol class="plain-list events" reversed tabIndex={0} aria-label={label}>
    {happenings.map(({ key, at, who, words, reason }) => (
      <li key={key} class="happening">
        <Ago at={at} />
        <span>
          {who !== '' && <strong>{who} </strong>}
          {words}
          {reason !== '' && <span class="hint"> “{reason}”</span>}
        </span>
      </li>
    ))}
  </ol>
);
