/** Whom the session has asked, by project, with the time that is left to answer. */
import { nameOr } from '../../rules/words/names';
import { questionInWords } from '../../rules/words/questions';
import { stateInWords } from '../../rules/words/states';
import { count } from '../../rules/words/times';
import { hashOf } from '../address';
import { LookNote } from '../parts/look-note';
import { groupedByProject } from '../parts/questions';
import { Left } from '../parts/times';
import type { SessionLooks } from './session-looks';

/** A large session asks hundreds: those with the least time left are shown. */
const [projectsShown, questionsShown] = [8, 4];

const More = ({ number, of }: { readonly number: number; readonly of: string }) =>
  number > 0 ? <p class="hint">and {count(number, `more ${of}`)}</p> : null;

export const QuestionsPart = ({ looks }: { readonly looks: SessionLooks }) => {
  const seen = looks.questions.seen.value;
  const projects = groupedByProject(seen?.body ?? []);
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Open questions</h2>
      <LookNote look={looks.questions} />
      {seen !== undefined && projects.length === 0 && <p class="hint">Nobody is asked at present.</p>}
      {projects.slice(0, projectsShown).map(({ projectId, projectName, questions }) => (
        <div key={projectId} class="group">
          <h3>
            <a href={hashOf({ name: 'project', projectId })}>Project {nameOr(projectId, projectName)}</a>
          </h3>
          <ul class="plain-list">
            {questions.slice(0, questionsShown).map((question) => (
              <li key={question.question_id} class="wait-row">
                <span>
                  {stateInWords(question.state)} <span class="hint">{questionInWords(question)}</span>
                </span>
                {question.reply_at === null ? (
                  <span class="hint">not sent yet</span>
                ) : (
                  <Left seconds={question.seconds_left} atMs={seen?.atMs ?? 0} />
                )}
              </li>
            ))}
          </ul>
          <More number={questions.length - questionsShown} of="question" />
        </div>
      ))}
      <More number={projects.length - projectsShown} of="project" />
    </section>
  );
};
