/** Where keys lead on the page: to the search, and from row to row. */
import { rowAfter } from './shortcuts';

const isInSight = (element: HTMLElement): boolean => element.offsetParent !== null;

/** The first search of the view; nowhere where it has none. */
export const toSearch = (): void => {
  const search = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')].find(isInSight);
  search?.focus();
  search?.select();
};

/** Rows are marked by `data-row`. A list that shows only some of its rows has arrow keys, which do the same. */
export const toRow = (by: 1 | -1): void => {
  const { activeElement: active } = document;
  if (active?.closest('.virtual') != null) {
    const key = by === 1 ? 'ArrowDown' : 'ArrowUp';
    active.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return;
  }
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter(isInSight);
  if (rows.length === 0) {
    document.querySelector<HTMLElement>('main .virtual button[tabindex="0"]')?.focus();
    return;
  }
  const to = rowAfter(
    rows.findIndex((row) => row === active),
    by,
    rows.length,
  );
  if (to !== undefined) rows[to]?.focus();
};
