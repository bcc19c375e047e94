/**
 * A list of rows of one height, of which only those in sight are there. One row is in the order of the tab key; the
 * arrow keys lead to the others.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isSameSight, rowAfterKey, rowsInSight, type Scrolled } from './virtual';

export interface VirtualListProps<Row> {
  readonly label: string;
  /** Stays above the rows. */
  readonly head?: ComponentChildren;
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly keyOf: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** Told the row that is pointed at, or got the focus by a key, and its place on the screen; undefined: none is. */
  readonly onPoint?: (row: Row | undefined, at: DOMRect) => void;
  /** The ID of the element that describes the row with the focus. */
  readonly describedBy?: string;
  readonly show: (row: Row) => ComponentChildren;
}

export const VirtualList = <Row,>({ head, ...list }: VirtualListProps<Row>) => {
  const { rows, rowHeight } = list;
  const room = useRef<HTMLDivElement>(null);
  const [scrolled, measure] = useScrolled(room, { rowHeight, count: rows.length });
  const [at, setActive] = useActive(list);
  const toFocus = useRef(false);
  useLayoutEffect(() => {
    if (!toFocus.current) return;
    toFocus.current = false;
    room.current?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus({ preventScroll: true });
  });
  const onScroll = (): void => {
    measure();
    list.onPoint?.(undefined, new DOMRect());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(scrolled.height / rowHeight) - 1);
    const to = rowAfterKey(event.key, at, { count: rows.length, page });
    const { current } = room;
    const row = to === undefined ? undefined : rows[to];
    if (to === undefined || row === undefined || current === null) return;
    event.preventDefault();
    bringIntoSight(current, to * rowHeight, (to + 1) * rowHeight);
    toFocus.current = true;
    setActive(list.keyOf(row));
    measure();
  };
  return (
    <div class="virtual" ref={room} onScroll={onScroll} onKeyDown={onKeyDown}>
      {head}
      <RowsInSight {...list} {...scrolled} at={at} onFocus={setActive} />
    </div>
  );
};

/** The row in the order of the tab key, by its key: it stays the same one where the order changes. */
const useActive = <Row,>({ rows, keyOf }: Pick<VirtualListProps<Row>, 'rows' | 'keyOf'>) => {
  const [active, setActive] = useState<string | undefined>(undefined);
  const at = useMemo(
    () =>
      Math.max(
        0,
        rows.findIndex((row) => keyOf(row) === active),
      ),
    [rows, active],
  );
  return [at, setActive] as const;
};

/** Where a list is scrolled to, and what measures it anew. */
const useScrolled = (
  room: RefObject<HTMLElement | null>,
  { rowHeight, count }: Pick<Scrolled, 'rowHeight' | 'count'>,
) => {
  const [scrolled, setScrolled] = useState({ top: 0, height: 600 });
  const measure = (): void => {
    const { current } = room;
    if (current === null) return;
    const now = { top: current.scrollTop, height: current.clientHeight };
    // Most steps of a scroll change no row: these cost nothing then.
    setScrolled((last) => (isSameSight({ ...last, rowHeight }, { ...now, rowHeight }, count) ? last : now));
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (room.current !== null) observer.observe(room.current);
    return () => observer.disconnect();
  }, []);
  return [scrolled, measure] as const;
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
  readonly onFocus: (key: string) => void;
}

const RowsInSight = <Row,>({ label, rows, rowHeight, keyOf, onOpen, show, ...sight }: RowsInSightProps<Row>) => {
  const { top, height, at, onFocus, onPoint, describedBy } = sight;
  const pointAt = (row: Row | undefined, target: Element): void => onPoint?.(row, target.getBoundingClientRect());
  const { first, end } = rowsInSight({ top, height, rowHeight, count: rows.length });
  const inSight = rows.slice(first, end).map((row, offset) => ({ row, index: first + offset }));
  const tabbed = rows[at];
  // The row in the order of the tab key is always there, so that it keeps the focus, and the tab key finds it.
  const shown = tabbed === undefined || (at >= first && at < end) ? inSight : [...inSight, { row: tabbed, index: at }];
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
            {...(index === at && describedBy !== undefined && { 'aria-describedby': describedBy })}
            onFocus={({ currentTarget }) => {
              onFocus(keyOf(row));
              if (currentTarget.matches(':focus-visible')) pointAt(row, currentTarget);
            }}
            onBlur={({ currentTarget }) => pointAt(undefined, currentTarget)}
            onMouseEnter={({ currentTarget }) => pointAt(row, currentTarget)}
            onMouseLeave={({ currentTarget }) => pointAt(undefined, currentTarget)}
            onClick={() => onOpen(row)}
          >
            {show(row)}
          </button>
        </li>
      ))}
    </ul>
  );
};
