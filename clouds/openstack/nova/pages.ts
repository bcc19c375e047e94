/** Reads lists that come in pages. Nova gives at most `[api] max_limit` items at once, whatever the call asks for. */
import type { PageLinks } from './answers';

type Paging = Readonly<Record<string, string>>;

interface LinkedPage<T> {
  readonly items: readonly T[];
  readonly links: PageLinks;
}

/**
 * All items of a list whose pages link to the next one.
 * @throws Error when a page does not lead on to its next one: items that exist must not count as gone
 * @param limit items in a page; undefined: as many as Nova likes. A page with a limit hides the servers whose cells do
 * not answer, and one without names them
 */
export const allByLink = async <T>(
  limit: number | undefined,
  getPage: (paging: Paging) => Promise<LinkedPage<T>>,
): Promise<T[]> => {
  const items: T[] = [];
  const size: Paging = limit === undefined ? {} : { limit: String(limit) };
  let paging: Paging | undefined = size;
  while (paging !== undefined) {
    const page: LinkedPage<T> = await getPage(paging);
    items.push(...page.items);
    const marker = nextMarker(page.links);
    if (marker !== undefined && marker === paging['marker']) throw cutShort(`a page that begins after ${marker} again`);
    paging = marker === undefined ? undefined : { ...size, marker };
  }
  return items;
};

const cutShort = (leadsTo: string): Error => new Error(`a list of Nova is cut short: its next page is ${leadsTo}`);

const nextMarker = (links: PageLinks): string | undefined => {
  const next = links?.find(({ rel }) => rel === 'next');
  if (next === undefined) return undefined;
  const marker = /[?&]marker=([^&]+)/.exec(next.href)?.[1];
  if (marker === undefined) throw cutShort(`at ${next.href}, without a marker`);
  return decodeURIComponent(marker);
};

/**
 * All items of a list without links, each once: asks until a page has nothing new, since a page may be shorter than
 * requested, and may come again.
 */
export const allByOffset = async <T extends { readonly id: string }>(
  limit: number,
  getPage: (paging: Paging) => Promise<readonly T[]>,
): Promise<T[]> => {
  const items = new Map<string, T>();
  for (;;) {
    const page = await getPage({ limit: String(limit), offset: String(items.size) });
    if (page.every(({ id }) => items.has(id))) return [...items.values()];
    for (const item of page) items.set(item.id, item);
  }
};
