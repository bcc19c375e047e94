/** Lists that come in pages. Nova gives no more at once than its `[api] max_limit`, whatever is asked for. */
import type { PageLinks } from './answers';

type Paging = Readonly<Record<string, string>>;

interface LinkedPage<T> {
  readonly items: readonly T[];
  readonly links: PageLinks;
}

/** All items of a list whose pages point to the next one. */
export const allByLink = async <T>(
  limit: number,
  getPage: (paging: Paging) => Promise<LinkedPage<T>>,
): Promise<T[]> => {
  const items: T[] = [];
  let paging: Paging | undefined = { limit: String(limit) };
  while (paging !== undefined) {
    const page: LinkedPage<T> = await getPage(paging);
    items.push(...page.items);
    const marker = nextMarker(page.links);
    paging = marker === undefined ? undefined : { limit: String(limit), marker };
  }
  return items;
};

const nextMarker = (links: PageLinks): string | undefined => {
  const next = links?.find(({ rel }) => rel === 'next');
  return next === undefined ? undefined : (new URL(next.href).searchParams.get('marker') ?? undefined);
};

/** All items of a list that has no links: asked for until nothing comes, since a page may be shorter than wanted. */
export const allByOffset = async <T>(
  limit: number,
  getPage: (paging: Paging) => Promise<readonly T[]>,
): Promise<T[]> => {
  const items: T[] = [];
  for (;;) {
    const page = await getPage({ limit: String(limit), offset: String(items.length) });
    if (page.length === 0) return items;
    items.push(...page);
  }
};
