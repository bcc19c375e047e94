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

export const VirtualList = <Row,>({ label, head, rows, rowHeight, keyOf, onOpen, show }: VirtualListProps<Row>) => {
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
    const [top, bottom] = [to * rowHeight, (to + 1) * rowHeight];
    if (top < current.scrollTop) current.scrollTop = top;
    if (bottom > current.scrollTop + current.clientHeight) current.scrollTop = bottom - current.clientHeight;
    toFocus.current = true;
    setActive(to);
    measure();
  };
  const { first, end } = rowsInSight({ ...scrolled, rowHeight, count: rows.length });
  const shown = rows.slice(first, end).map((row, offset) => ({ row, index: first + offset }));
  return (
    <div class="virtual" ref={room} onScroll={measure} onKeyDown={onKeyDown}>
      {head}
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
              onFocus={() => setActive(index)}
              onClick={() => onOpen(row)}
            >
              {show(row)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};
