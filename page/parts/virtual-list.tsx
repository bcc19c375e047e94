/**
 * A list of rows of one height, of which only those in sight are there. One row is in the order of the tab key; the
 * arrow keys lead to the others.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rowAfterKey, rowsInSight } from './virtual';

export interface VirtualListProps<Row> {
  readonly label: string;
  /** Stays above the rows. */
  readonly head?: ComponentChildren;
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly keyOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  readonly show: (row: Row) => ComponentChildren;
}

export const VirtualList = <Row,>({ head, ...list }: VirtualListProps<Row>) => {
  const { rows, rowHeight } = list;
  const room = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState({ top: 0, height: 600 });
  const [active, setActive] = useState(0);
  const toFocus = useRef(false);
  const measure = (): void => {
    const { current } = room;
    if (current !== null) setScrolled({ top: current.scrollTop, height: current.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (room.current !== null) observer.observe(room.current);
    return () => observer.disconnect();
  }, []);
  const at = Math.min(active, Math.max(0, rows.length - 1));
  useLayoutEffect(() => {
    if (!toFocus.current) return;
    toFocus.current = false;
    room.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(scrolled.height / rowHeight) - 1);
    const to = rowAfterKey(event.key, at, { count: rows.length, page });
    const { current } = room;
    if (to === undefined || current === null) return;
    event.preventDefault();
    bringIntoSight(current, to * rowHeight, (to + 1) * rowHeight);
    toFocus.current = true;
    setActive(to);
    measure();
  };
  return (
    <div class="virtual" ref={room} onScroll={measure} onKeyDown={onKeyDown}>
      {head}
      <RowsInSight {...list} {...scrolled} at={at} onFocus={setActive} />
    </div>
  );
};

const bringIntoSight = (room: HTMLElement, top: number, bottom: number): void => {
  if (top < room.scrollTop) room.scrollTop = top;
  if (bottom > room.scrollTop + room.clientHeight) room.scrollTop = bottom - room.clientHeight;
};

interface RowsInSightProps<Row> extends VirtualListProps<Row> {
  readonly top: number;
  readonly height: number;
  /** The row in the order of the tab key. */
  readonly at: number;
  readonly onFocus: (index: number) => void;
}

const RowsInSight = <Row,>({ label, rows, rowHeight, keyOf, onOpen, show, ...sight }: RowsInSightProps<Row>) => {
  const { top, height, at, onFocus } = sight;
  const { first, end } = rowsInSight({ top, height, rowHeight, count: rows.length });
  const shown = rows.slice(first, end).map((row, offset) => ({ row, index: first + offset }));
  return (
    <ul aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
      {shown.map(({ row, index }) => (
        <li
          key={keyOf(row)}
          aria-posinset={index + 1}
          aria-setsize={rows.length}
          style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
        >
          <button
            class="row"
            tabIndex={index === at ? 0 : -1}
            onFocus={() => onFocus(index)}
            onClick={() => onOpen(row)}
          >
            {show(row)}
          </button>
        </li>
      ))}
    </ul>
  );
};
