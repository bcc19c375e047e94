/** Which rows of one height are in sight. */
export interface InSight {
  /** The first row that is shown. */
  readonly first: number;
  /** The row after the last one that is shown. */
  readonly end: number;
}

export interface Scrolled {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows beyond the edges, so that nothing is blank while somebody scrolls. */
const beyond = 8;

export const rowsInSight = ({ top, height, rowHeight, count }: Scrolled): InSight => {
  // The list may have become shorter than where somebody had scrolled to.
  const shownTop = Math.max(0, Math.min(top, count * rowHeight - height));
  return {
    first: Math.max(0, Math.floor(shownTop / rowHeight) - beyond),
    end: Math.min(count, Math.ceil((shownTop + height) / rowHeight) + beyond),
  };
};

/** True when the same rows are in sight, and the list is as high. */
export const isSameSight = (one: Omit<Scrolled, 'count'>, other: Omit<Scrolled, 'count'>, count: number): boolean => {
  const [before, after] = [one, other].map((scrolled) => rowsInSight({ ...scrolled, count }));
  return one.height === other.height && before?.first === after?.first && before?.end === after?.end;
};

export interface Pages {
  readonly count: number;
  /** Rows that a page has. */
  readonly page: number;
}

/** Where a key leads to in a list; undefined: nowhere. */
export const rowAfterKey = (key: string, at: number, { count, page }: Pages): number | undefined => {
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1 }[
    key
  ];
  return to === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, to));
};
