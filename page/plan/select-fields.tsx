/** Fields that select hosts by their labels, with the hosts that they select. */
import { useMemo } from 'preact/hooks';
import { count } from '../../rules/words/times';
import { bindTo } from '../parts/bind';
import { TextField } from '../parts/fields';
import { type Draft, listIn } from './draft';
import { AtField } from './faults';
import { type HostChoice, selectedBy } from './host-choices';

interface SelectFieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly hosts: readonly HostChoice[];
}

export const SelectFields = ({ draft, onChange, hosts }: SelectFieldsProps) => {
  const { allHosts, select, except } = draft;
  const bind = bindTo(draft, onChange);
  const hasLabels = !allHosts && select.trim() !== '';
  return (
    <AtField at="/select">
      {!allHosts && (
        <TextField
          label="Labels"
          placeholder="zone=a,rack in (r1,r2)"
          hint="also the hosts with these labels, as they are when you create the session"
          {...bind('select')}
        />
      )}
      {hasLabels && hosts.length > 0 && <SelectedHosts select={select} except={except} hosts={hosts} />}
      {(allHosts || hasLabels || except !== '') && (
        <TextField
          label="Except"
          hint="names of hosts to leave out, separated by spaces or commas"
          {...bind('except')}
        />
      )}
    </AtField>
  );
};

/** More names than these do not fit beside a form. */
const mostNamed = 12;

interface SelectedHostsProps extends Pick<SelectFieldsProps, 'hosts'>, Pick<Draft, 'select' | 'except'> {}

/** Says nothing about a text that is no selector: the API says what is wrong with it. */
const SelectedHosts = ({ select, except, hosts }: SelectedHostsProps) => {
  const selected = useMemo(() => selectedBy(select, listIn(except), hosts), [select, except, hosts]);
  return (
    <p class="hint" role="status">
      {selected && inWords(selected)}
    </p>
  );
};

const inWords = (hostnames: readonly string[]): string => {
  if (hostnames.length === 0) return 'No host has these labels.';
  const more = hostnames.length - mostNamed;
  const named = hostnames.slice(0, mostNamed).join(', ');
  return `${count(hostnames.length, 'host')}: ${named}${more > 0 ? `, and ${more} more` : ''}`;
};
