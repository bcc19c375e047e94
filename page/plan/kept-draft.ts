/** Keeps the filled-in form and the key of its create request: a reload loses nothing and creates nothing twice. */
import { type Draft, emptyDraft } from './draft';

const draftAs = 'parley-draft';
const keyAs = 'parley-create-key';

export const keepDraft = (draft: Draft): void => sessionStorage.setItem(draftAs, JSON.stringify(draft));

export const keptDraft = (): Draft => {
  const text = sessionStorage.getItem(draftAs);
  return text === null ? emptyDraft : { ...emptyDraft, ...(JSON.parse(text) as Partial<Draft>) };
};

/** False for a form as it is at first. */
export const hasInput = (draft: Draft): boolean => JSON.stringify(draft) !== JSON.stringify(emptyDraft);

interface KeptKey {
  readonly request: string;
  readonly key: string;
}

/** The same for the same request, until a session was created by it. */
export const keyFor = (request: object): string => {
  const text = JSON.stringify(request);
  const kept = JSON.parse(sessionStorage.getItem(keyAs) ?? '{}') as Partial<KeptKey>;
  if (kept.request === text && kept.key !== undefined) return kept.key;
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(keyAs, JSON.stringify({ request: text, key } satisfies KeptKey));
  return key;
};

export const forgetDraft = (): void => {
  sessionStorage.removeItem(draftAs);
  sessionStorage.removeItem(keyAs);
};
