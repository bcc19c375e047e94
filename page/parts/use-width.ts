/** The width of an element, as it changes. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export const useWidth = (ref: RefObject<Element | null>, atFirst = 800): number => {
  const [width, setWidth] = useState(atFirst);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return undefined;
    const measure = (): void => setWidth(Math.max(1, Math.floor(current.getBoundingClientRect().width)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return width;
};
