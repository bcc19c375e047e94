/** Drafts that somebody keeps under a name in this browser, to begin from them again. */
import { type Draft, emptyDraft, listIn } from './draft';

export interface Template {
  readonly name: string;
  readonly draft: Draft;
}

const storedAs = 'parley-templates';

/** Those in the stored text, by name; none where it is not what was stored. */
export const templatesIn = (text: string | null): readonly Template[] => {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(found) ? found.filter(isTemplate).map(whole) : [];
  } catch {
    return [];
  }
};

const isTemplate = (one: unknown): one is Template =>
  typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string' && 'draft' in one;

/** An earlier version of the page may have had fewer fields. */
const whole = ({ name, draft }: Template): Template => ({ name, draft: { ...emptyDraft, ...draft } });

/** The templates with this one, in place of another of its name, without times, dates and addresses with a secret. */
export const withTemplate = (templates: readonly Template[], { name, draft }: Template): readonly Template[] =>
  [...withoutTemplate(templates, name), { name, draft: toBeKept(draft) }].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  );

export const withoutTemplate = (templates: readonly Template[], name: string): readonly Template[] =>
  templates.filter((one) => one.name !== name);

const toBeKept = (draft: Draft): Draft => ({
  ...draft,
  ...{ startAt: '', deadline: '', postponeUntil: '', ownerHoursUntil: '' },
  ownerHours: draft.ownerHours === 'until' ? '' : draft.ownerHours,
  windows: draft.windows.map(withoutDates),
  downloads: listIn(draft.downloads).filter(isPlain).join('\n'),
});

/** A window of dates stays, without them: the form asks for others. Without windows a session works at any time. */
const withoutDates = ({ dates, except: _, ...window }: Draft['windows'][number]): Draft['windows'][number] => ({
  ...window,
  ...(dates && { dates: [] }),
});

/** The query of an address may be a signature, and the part before @ a password. */
const isPlain = (address: string): boolean => !/[?@]/.test(address);

export const readTemplates = (): readonly Template[] => templatesIn(localStorage.getItem(storedAs));

export const storeTemplates = (templates: readonly Template[]): void =>
  localStorage.setItem(storedAs, JSON.stringify(templates));
