/** A project: what it is asked, its instances in sessions, and its constraints. */
import type { Project, Question } from '../client/types';
import type { Seen } from '../live/count-down';
import { useEventsFor, useLook } from '../live/use-look';
import { LookNote } from '../parts/look-note';
import { useSignedIn } from '../signed-in';
import { ConstraintTables } from './constraint-tables';
import { InstanceTable } from './instance-table';
import { QuestionCard } from './question-card';

export const ProjectPage = ({ projectId }: { readonly projectId: string }) => {
  const { api } = useSignedIn();
  const questions = useLook<readonly Question[]>(`questions of ${projectId}`, {
    read: async () => ({ body: await api.questions(projectId) }),
    everyMs: 5_000,
  });
  const project = useLook<Project>(`project ${projectId}`, {
    read: async () => ({ body: await api.project(projectId) }),
    everyMs: 15_000,
  });
  useEventsFor(questions, () => true);
  useEventsFor(project, () => true);
  const [asked, known] = [questions.seen.value, project.seen.value];
  const nameOf = (id: string): string =>
    known?.body.instances.find(({ instance_id: one }) => one === id)?.instance_name ?? id;
  const onReplied = (): void => {
    questions.again();
    project.again();
  };
  return (
    <>
      <ProjectHead projectId={projectId} />
      <section aria-labelledby="asked">
        <h2 id="asked">What you are asked</h2>
        <LookNote look={questions} />
        {asked !== undefined && <Questions asked={asked} nameOf={nameOf} onReplied={onReplied} />}
      </section>
      <LookNote look={project} />
      {known !== undefined && <InstanceTable instances={known.body.instances} />}
      {known !== undefined && <ConstraintTables project={known.body} />}
    </>
  );
};

const ProjectHead = ({ projectId }: { readonly projectId: string }) => {
  const { who } = useSignedIn();
  return (
    <div>
      {who.role === 'admin' && (
        <p class="crumbs">
          <a href="#/">Sessions</a>
        </p>
      )}
      <h1>Project {who.role === 'project' ? (who.project_name ?? projectId) : projectId}</h1>
    </div>
  );
};

interface QuestionsProps {
  readonly asked: Seen<readonly Question[]>;
  readonly nameOf: (instanceId: string) => string;
  readonly onReplied: () => void;
}

const Questions = ({ asked: { body, atMs }, nameOf, onReplied }: QuestionsProps) => (
  <>
    {body.length === 0 && <p>Nothing. A question is shown here as soon as it is sent.</p>}
    <div class="cards">
      {body.map((question) => (
        <QuestionCard
          key={question.question_id}
          question={question}
          atMs={atMs}
          nameOf={nameOf}
          onReplied={onReplied}
        />
      ))}
    </div>
  </>
);
