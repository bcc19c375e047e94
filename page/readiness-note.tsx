/** Shows above all parts of the page what the service says is missing for sessions to go on. */
import { useEffect } from 'preact/hooks';
import { isAtWork } from './live/readiness';
import { useLook } from './live/use-look';
import { useSignedIn } from './signed-in';

/** A hung API is noticed within this time and that of one question. */
const everyMs = 4_000;

export const ReadinessNote = () => {
  const { api } = useSignedIn();
  const look = useLook('readiness', {
    read: async () => ({ body: await api.http.problems() }),
    everyMs,
    restFactor: 1,
  });
  const problems = look.seen.value?.body ?? [];
  useEffect(() => {
    isAtWork.value = problems.length === 0;
  }, [problems.length]);
  if (problems.length === 0 || look.problem.value !== undefined) return null;
  return (
    <div class="note bad" role="alert">
      {problems.map((problem) => (
        <p key={problem}>
          <strong>The service is not ready:</strong> {problem}
        </p>
      ))}
    </div>
  );
};
