/** The fields of a project's terms. */
import { bindTo } from '../parts/bind';
import { Area, Choice, TextField } from '../parts/fields';
import { WindowFields } from '../plan/window-fields';
import type { TermsDraft } from './terms-draft';

const asks = [
  ['', 'as by default: I am waited for'],
  ['always', 'I am waited for; the answers follow if I stay silent'],
  ['outside_hours', 'only about work outside of my hours'],
  ['never', 'nobody waits for me: the answers count at once'],
] as const;
const agrees = [
  ['', 'not answered'],
  ['ACK', 'agree'],
] as const;
const scaleIns = [
  ['', 'not answered'],
  ['ACK', 'agree: I free capacity in time'],
  ['NACK', 'refuse: I free nothing'],
] as const;
const moves = [
  ['', 'not answered'],
  ['ACK', 'agree, by the default action'],
  ['LIVE_MIGRATE', 'LIVE_MIGRATE'],
  ['MIGRATE', 'MIGRATE'],
  ['EVICTION', 'EVICTION'],
  ['OWN_ACTION', 'OWN_ACTION: I act myself'],
] as const;

interface TermsFieldsProps {
  readonly draft: TermsDraft;
  readonly onChange: (change: Partial<TermsDraft>) => void;
}

export const TermsFields = ({ draft, onChange }: TermsFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <>
      <WindowFields
        legend="The hours in which your instances may be impacted"
        none="None: at any time."
        windows={draft.hours}
        onChange={(hours) => onChange({ hours })}
      />
      <div class="pair">
        <TextField
          label="Seconds of notice"
          type="number"
          hint="from the first word of a session until it impacts your instances; empty: none"
          {...bind('notice')}
        />
        <Choice label="Do we wait for you?" options={asks} {...bind('ask')} />
        <TextField label="Whom to ask" hint="an address or a name; admins see it" {...bind('contact')} />
        <Choice label="May a session begin?" options={agrees} {...bind('maintenance')} />
        <Choice label="May instances leave their host, and how?" options={moves} {...bind('moves')} />
        <Choice label="Do you free capacity when asked?" options={scaleIns} {...bind('scaleIn')} />
        <Choice label="Have you heard that a session is over?" options={agrees} {...bind('complete')} />
        {draft.others !== '' && (
          <Area label="Further terms" hint="as JSON, in the words of the interface" {...bind('others')} />
        )}
      </div>
    </>
  );
};
