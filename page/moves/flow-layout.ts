/** Where everything lies on the map of moves: places left and right, and bands between them, as wide as their moves. */
import { byNaturalOrder } from '../parts/natural-order';
import { type Flow, isRest } from './flows';

export interface Place {
  readonly name: string;
  readonly size: number;
  readonly y: number;
  readonly height: number;
}

export interface Band {
  readonly flow: Flow;
  readonly fromY: number;
  readonly toY: number;
  readonly height: number;
}

export interface FlowMap {
  readonly from: readonly Place[];
  readonly to: readonly Place[];
  readonly bands: readonly Band[];
  readonly height: number;
}

const gap = 10;
/** The name of a place needs this height. */
const leastHeight = 16;
const bounds = { least: 1.5, most: 12 } as const;
const wantedHeight = 560;

export const layOut = (flows: readonly Flow[]): FlowMap => {
  const total = flows.reduce((sum, flow) => sum + flow.instances.length, 0);
  const unit = Math.min(bounds.most, Math.max(bounds.least, wantedHeight / Math.max(1, total)));
  const from = column(flows, ({ from: name }) => name, unit);
  const to = column(flows, ({ to: name }) => name, unit);
  const fromY = stacked(flows, { places: from, placeOf: (flow) => flow.from, otherOf: (flow) => flow.to, unit });
  const toY = stacked(flows, { places: to, placeOf: (flow) => flow.to, otherOf: (flow) => flow.from, unit });
  return {
    ...{ from, to },
    bands: flows.map((flow) => ({
      ...{ flow, height: flow.instances.length * unit },
      ...{ fromY: fromY.get(flow) ?? 0, toY: toY.get(flow) ?? 0 },
    })),
    height: Math.max(bottomOf(from), bottomOf(to)),
  };
};

const bottomOf = (places: readonly Place[]): number => Math.max(0, ...places.map(({ y, height }) => y + height));

const column = (flows: readonly Flow[], placeOf: (flow: Flow) => string, unit: number): Place[] => {
  let y = 0;
  return (
    [...Map.groupBy(flows, placeOf)]
      // The rest may be several screens high: those with names stand before it.
      .toSorted(([one], [other]) => Number(isRest(one)) - Number(isRest(other)) || byNaturalOrder(one, other))
      .map(([name, all]) => {
        const size = all.reduce((sum, { instances }) => sum + instances.length, 0);
        const place = { name, size, y, height: Math.max(leastHeight, size * unit) };
        y += place.height + gap;
        return place;
      })
  );
};

interface Side {
  readonly places: readonly Place[];
  readonly placeOf: (flow: Flow) => string;
  readonly otherOf: (flow: Flow) => string;
  readonly unit: number;
}

/** Bands leave a place in the order in which they arrive, so that few of them cross. */
const stacked = (flows: readonly Flow[], { places, placeOf, otherOf, unit }: Side): ReadonlyMap<Flow, number> => {
  const byPlace = Map.groupBy(flows, placeOf);
  const tops = new Map<Flow, number>();
  for (const { name, y, height, size } of places) {
    let top = y + (height - size * unit) / 2;
    const inOrder = (byPlace.get(name) ?? []).toSorted(
      (one, other) => byNaturalOrder(otherOf(one), otherOf(other)) || byNaturalOrder(one.tenant, other.tenant),
    );
    for (const flow of inOrder) {
      tops.set(flow, top);
      top += flow.instances.length * unit;
    }
  }
  return tops;
};

/** The outline of a band between two heights, from the left edge to the right one. */
export const outlineOf = ({ fromY, toY, height }: Band, left: number, right: number): string => {
  const middle = (left + right) / 2;
  const round = (value: number): string => value.toFixed(1);
  const [top, bottom] = [
    [fromY, toY],
    [fromY + height, toY + height],
  ] as const;
  return (
    `M${left},${round(top[0])}C${middle},${round(top[0])} ${middle},${round(top[1])} ${right},${round(top[1])}` +
    `V${round(bottom[1])}C${middle},${round(bottom[1])} ${middle},${round(bottom[0])} ${left},${round(bottom[0])}Z`
  );
};
