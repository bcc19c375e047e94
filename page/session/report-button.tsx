/** Saves the report of the session as a file that can be printed. */
import { useState } from 'preact/hooks';
import { shortId } from '../../rules/words/times';
import { ProblemNote } from '../parts/problem-note';
import { useSignedIn } from '../signed-in';

export const ReportButton = ({ sessionId }: { readonly sessionId: string }) => {
  const { api } = useSignedIn();
  const [problem, setProblem] = useState<unknown>(undefined);
  const save = (): void => {
    setProblem(undefined);
    api.report(sessionId).then((html) => saveAs(`session-${shortId(sessionId)}.html`, html), setProblem);
  };
  return (
    <>
      <button class="button" onClick={save}>
        Report
      </button>
      <ProblemNote error={problem} />
    </>
  );
};

const saveAs = (name: string, html: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};
