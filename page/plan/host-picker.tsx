/** The hosts of the cloud to pick from, many at once. Those that are picked are named in the field of names. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../../rules/words/times';
import { Search } from '../parts/fields';
import { VirtualList } from '../parts/virtual-list';
import { type HostChoice, hostsMatching, isFree, pickedAfter, remarkOn } from './host-choices';

interface HostPickerProps {
  readonly hosts: readonly HostChoice[];
  /** The same list while the same hosts are picked. */
  readonly picked: readonly string[];
  readonly onPick: (hostnames: readonly string[]) => void;
}

const rowHeight = 34;

export const HostPicker = ({ hosts, picked, onPick }: HostPickerProps) => {
  const [text, setText] = useState('');
  const [last, setLast] = useState<string | undefined>(undefined);
  const hasShift = useRef(false);
  const chosen = useMemo(() => new Set(picked), [picked]);
  const shown = useMemo(() => hostsMatching(hosts, text), [hosts, text]);
  const isHere = useMemo(() => columnsIn(hosts), [hosts]);
  const pick = ({ hostname }: HostChoice): void => {
    onPick([...pickedAfter(hostname, hasShift.current, { shown, picked: chosen, last })]);
    setLast(hostname);
  };
  return (
    <div class="group" role="group" aria-label="Hosts of the cloud">
      <PickerBar text={text} onText={setText} shown={shown} picked={picked} onPick={onPick} />
      <div
        class={`host-table ${isHere.zone ? 'zones' : ''}`}
        onClickCapture={(event) => {
          hasShift.current = event.shiftKey;
        }}
      >
        <VirtualList
          label="Hosts to pick"
          head={<TableHead hasZone={isHere.zone} />}
          rows={shown}
          rowHeight={rowHeight}
          keyOf={({ hostname }) => hostname}
          onOpen={pick}
          show={(host) => <HostCells host={host} isPicked={chosen.has(host.hostname)} hasZone={isHere.zone} />}
        />
        {shown.length === 0 && <p class="hint none">No host matches.</p>}
      </div>
    </div>
  );
};

const columnsIn = (hosts: readonly HostChoice[]) => ({ zone: hosts.some(({ zone }) => zone !== null) });

const TableHead = ({ hasZone }: { readonly hasZone: boolean }) => (
  <div class="row-head" aria-hidden="true">
    <span />
    <span>Host</span>
    <span>{hasZone ? 'Zone' : 'Type'}</span>
    <span class="amount">Instances</span>
    <span class="remark">State</span>
  </div>
);

interface HostCellsProps {
  readonly host: HostChoice;
  readonly isPicked: boolean;
  readonly hasZone: boolean;
}

const HostCells = ({ host, isPicked, hasZone }: HostCellsProps) => (
  <>
    <span class={`tick ${isPicked ? 'on' : ''} ${isFree(host) || isPicked ? '' : 'off'}`} aria-hidden="true" />
    <span class="host-name" title={host.hostname}>
      {host.hostname}
    </span>
    <span class="hidden">{isPicked ? ', picked' : ', not picked'}</span>
    <span class="cell">{hasZone ? (host.zone ?? '–') : host.type}</span>
    <span class="cell amount">{host.instance_count ?? '–'}</span>
    <span class="cell remark">{remarkOn(host)}</span>
  </>
);

interface PickerBarProps extends Pick<HostPickerProps, 'picked' | 'onPick'> {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly shown: readonly HostChoice[];
}

const PickerBar = ({ text, onText, shown, picked, onPick }: PickerBarProps) => {
  const free = useMemo(() => shown.filter(isFree).map(({ hostname }) => hostname), [shown]);
  return (
    <div class="picker-bar">
      <Search
        label="Find a host of the cloud"
        placeholder="Find: rack7-*, zone-a, controller"
        value={text}
        onType={onText}
      />
      <button type="button" class="button small" onClick={() => onPick([...new Set([...picked, ...free])])}>
        Pick {count(free.length, 'free host')}
      </button>
      <button type="button" class="button small" disabled={picked.length === 0} onClick={() => onPick([])}>
        Pick none
      </button>
    </div>
  );
};
