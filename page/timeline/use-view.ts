/** The view of a timeline, and what moves it: buttons, keys, the wheel, and dragging. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Range } from './layout';
import { afterMove, type Move, moved, moveOfKey, viewIn, zoomed } from './view';

export interface View {
  readonly range: Range;
  readonly isWhole: boolean;
  readonly move: (move: Move) => void;
  /** For the element that is dragged. */
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onClickCapture: (event: MouseEvent) => void;
  };
}

export interface Viewed {
  readonly whole: Range;
  readonly nowMs: number;
  /** The element whose width is the time in view. */
  readonly lane: RefObject<Element | null>;
  readonly room: RefObject<HTMLElement | null>;
}

/** Below this nobody has dragged: a hand is not still when it presses. */
const leastDrag = 4;

export const useView = (viewed: Viewed): View => {
  const [chosen, choose] = useState<Range | undefined>(undefined);
  const range = viewIn(chosen, viewed.whole);
  const state = useRef({ ...viewed, range, choose });
  state.current = { ...viewed, range, choose };
  const isDragged = useRef(false);
  const move = (one: Move): void => {
    const { range: view, whole, nowMs } = state.current;
    choose(afterMove(one, { view, whole, nowMs }));
  };
  useEffect(() => listenToWheel(() => state.current), []);
  return {
    range,
    isWhole: chosen === undefined,
    move,
    handlers: {
      onKeyDown: (event) => {
        const one = event.ctrlKey || event.metaKey || event.altKey ? undefined : moveOfKey(event.key);
        if (one === undefined) return;
        event.preventDefault();
        move(one);
      },
      onPointerDown: (event) => drag(event, state.current, isDragged),
      onClickCapture: (event) => {
        if (!isDragged.current) return;
        isDragged.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    },
  };
};

interface Dragged extends Viewed {
  readonly range: Range;
  readonly choose: (range: Range | undefined) => void;
}

const widthOf = ({ lane }: Viewed): DOMRect | undefined => lane.current?.getBoundingClientRect();

const isPart = ({ range, whole }: Dragged): boolean => range.toMs - range.fromMs < whole.toMs - whole.fromMs - 1;

const drag = ({ button, clientX }: PointerEvent, dragged: Dragged, isDragged: { current: boolean }): void => {
  const width = widthOf(dragged)?.width ?? 0;
  isDragged.current = false;
  if (button !== 0 || width === 0 || !isPart(dragged)) return;
  const follow = (event: PointerEvent): void => {
    const by = event.clientX - clientX;
    if (Math.abs(by) >= leastDrag) isDragged.current = true;
    if (isDragged.current) dragged.choose(moved(dragged.range, dragged.whole, -by / width));
  };
  const leave = (): void => {
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', leave);
    removeEventListener('pointercancel', leave);
  };
  addEventListener('pointermove', follow);
  addEventListener('pointerup', leave);
  addEventListener('pointercancel', leave);
};

/** Ctrl and the wheel zoom; a wheel that turns sideways moves. All else scrolls. */
const listenToWheel = (stateOf: () => Dragged): (() => void) => {
  const { current: room } = stateOf().room;
  const turn = (event: WheelEvent): void => {
    const state = stateOf();
    const lane = widthOf(state);
    if (lane === undefined || lane.width === 0) return;
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.ctrlKey || event.metaKey) {
      const share = Math.min(1, Math.max(0, (event.clientX - lane.left) / lane.width));
      state.choose(zoomed(state.range, state.whole, { factor: Math.exp(-event.deltaY / 300), share }));
    } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY) && isPart(state)) {
      state.choose(moved(state.range, state.whole, sideways / lane.width));
    } else return;
    event.preventDefault();
  };
  room?.addEventListener('wheel', turn, { passive: false });
  return () => room?.removeEventListener('wheel', turn);
};
