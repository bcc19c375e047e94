/** A honeycomb with a cell for each host: where the cells lie, and which of them lies at a point. */

export interface Comb {
  readonly count: number;
  readonly columns: number;
  /** From the middle of a cell to its corners, in pixels. */
  readonly radius: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const half = Math.sqrt(3) / 2;

/** The more hosts there are in all, the smaller is each cell: a fleet fits on a screen or two. */
export const radiusFor = (hosts: number): number => {
  if (hosts <= 60) return 17;
  if (hosts <= 400) return 12;
  return hosts <= 2_000 ? 8 : 6;
};

export const combOf = (count: number, width: number, radius: number): Comb => {
  const columns = Math.max(1, Math.min(count, Math.floor(width / (2 * half * radius) - 0.5)));
  const rows = Math.ceil(count / columns);
  return { count, columns, radius, width, height: rows === 0 ? 0 : Math.ceil((rows - 1) * 1.5 * radius + 2 * radius) };
};

/** Every second row is moved by half a cell. */
export const middleOf = (index: number, { columns, radius }: Comb): Point => {
  const [row, column] = [Math.floor(index / columns), index % columns];
  return {
    x: (2 * column + 1 + (row % 2)) * half * radius,
    y: (1.5 * row + 1) * radius,
  };
};

/** The cell at a point; undefined: there is none. */
export const cellAt = ({ x, y }: Point, comb: Comb): number | undefined => {
  const { columns, radius, count } = comb;
  const near = Math.round((y / radius - 1) / 1.5);
  const candidates = [near - 1, near, near + 1]
    .filter((row) => row >= 0)
    .flatMap((row) => {
      const column = Math.round((x / (half * radius) - 1 - (row % 2)) / 2);
      return column < 0 || column >= columns ? [] : [row * columns + column];
    })
    .filter((index) => index < count)
    .map((index) => ({ index, distance: distanceTo(middleOf(index, comb), { x, y }) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [nearest] = candidates;
  return nearest !== undefined && nearest.distance <= radius ? nearest.index : undefined;
};

const distanceTo = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** All of these cells as one path: ten thousand elements would be slow. */
export const outlineOfCells = (indices: readonly number[], comb: Comb): string => {
  const radius = comb.radius * 0.93;
  const [wide, high] = [(half * radius).toFixed(2), (radius / 2).toFixed(2)];
  const corners = `l${wide},${high}v${radius.toFixed(2)}l-${wide},${high}l-${wide},-${high}v-${radius.toFixed(2)}z`;
  return indices
    .map((index) => {
      const { x, y } = middleOf(index, comb);
      return `M${x.toFixed(1)},${(y - radius).toFixed(1)}${corners}`;
    })
    .join('');
};

/** The cell to which a key leads; undefined: none. */
export const cellAfterKey = (key: string, at: number, { columns, count }: Comb): number | undefined => {
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns }[key];
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return to === undefined || to < 0 || to >= count ? undefined : to;
};
