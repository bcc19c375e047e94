/** The terms of a project: what it answers once, without a manager. */
import { useState } from 'preact/hooks';
import type { Terms } from '../client/types';
import { useLook } from '../live/use-look';
import { Confirm } from '../parts/confirm';
import { LookNote } from '../parts/look-note';
import { ProblemNote } from '../parts/problem-note';
import { useSignedIn } from '../signed-in';
import { TermsFields } from './terms-fields';
import { TermsPreviewList } from './terms-preview';
import { type TermsForm, type TermsToEdit, useTermsForm } from './use-terms-form';

export const TermsPart = ({ projectId }: { readonly projectId: string }) => {
  const { api } = useSignedIn();
  const look = useLook<{ readonly terms: Terms | undefined; readonly told: Terms | undefined }>(
    `terms of ${projectId}`,
    {
      read: async () => ({ body: { terms: await api.terms(projectId), told: await api.toldTerms(projectId) } }),
      everyMs: 60_000,
    },
  );
  const seen = look.seen.value?.body;
  return (
    <section aria-labelledby="terms">
      <h2 id="terms">Your terms</h2>
      <p class="hint">
        What you say once: when your instances may be impacted, what you answer, and whether Parley waits for you.
      </p>
      <LookNote look={look} />
      {seen?.told !== undefined && <ToldTerms terms={seen.told} />}
      {seen !== undefined && <EditTerms projectId={projectId} stored={seen.terms} onStored={look.again} />}
    </section>
  );
};

const ToldTerms = ({ terms }: { readonly terms: Terms }) => (
  <div class="note">
    <p>Your namespace says this by its annotation. Each field of it counts before the one that you store here.</p>
    <pre>{JSON.stringify(terms, undefined, 2)}</pre>
  </div>
);

const EditTerms = (edited: TermsToEdit) => {
  const form = useTermsForm(edited);
  return (
    <form
      class="stack form"
      onSubmit={(event) => {
        event.preventDefault();
        form.store();
      }}
    >
      <TermsFields draft={form.draft} onChange={form.change} />
      <ProblemNote error={form.problem} />
      {form.preview !== undefined && <TermsPreviewList preview={form.preview} />}
      <TermsButtons form={form} isStored={edited.stored !== undefined} />
    </form>
  );
};

const TermsButtons = ({ form, isStored }: { readonly form: TermsForm; readonly isStored: boolean }) => {
  const [isDeleting, askToDelete] = useState(false);
  return (
    <div class="buttons">
      <button class="button primary" disabled={form.isBusy || !form.isChanged}>
        Store
      </button>
      <button type="button" class="button" disabled={form.isBusy} onClick={form.see}>
        {form.isBusy ? 'Asking…' : 'See what would follow'}
      </button>
      <button type="button" class="button" disabled={!isStored} onClick={() => askToDelete(true)}>
        Delete
      </button>
      {isDeleting && (
        <Confirm
          title="Delete your terms"
          verb="Delete"
          isDangerous
          says={['Parley waits for your answers again. Open questions keep the terms with which they were asked.']}
          act={form.remove}
          onClose={() => askToDelete(false)}
        />
      )}
    </div>
  );
};
