/** A project: what it is asked, its instances in sessions, and its constraints. */
import type { ComingEntry, Project, Question } from '../client/types';
import type { Seen } from '../live/count-down';
import { useEventsFor, useLook } from '../live/use-look';
import { LookNote } from '../parts/look-note';
import { useSignedIn } from '../signed-in';
import { ConstraintTables } from './constraint-tables';
import { InstanceTable } from './instance-table';
import { QuestionCard } from './question-card';
import { TermsPart } from './terms-form';
import { WeekCalendar } from './week-calendar';

export const ProjectPage = ({ projectId }: { readonly projectId: string }) => {
  const { questions, project, coming } = useProjectLooks(projectId);
  const [asked, known, comes] = [questions.seen.value, project.seen.value, coming.seen.value];
  const nameOf = (id: string): string =>
    known?.body.instances.find(({ instance_id: one }) => one === id)?.instance_name ?? id;
  const onReplied = (): void => [questions, project, coming].forEach((look) => look.again());
  return (
    <>
      <ProjectHead projectId={projectId} />
      <section aria-labelledby="asked">
        <h2 id="asked">What you are asked</h2>
        <LookNote look={questions} />
        {asked !== undefined && <Questions asked={asked} nameOf={nameOf} onReplied={onReplied} />}
      </section>
      <LookNote look={coming} />
      {comes !== undefined && <WeekCalendar coming={comes.body} questions={asked?.body ?? []} onReplied={onReplied} />}
      <TermsPart projectId={projectId} />
      <LookNote look={project} />
      {known !== undefined && <InstanceTable instances={known.body.instances} />}
      {known !== undefined && <ConstraintTables project={known.body} />}
    </>
  );
};

const useProjectLooks = (projectId: string) => {
  const { api } = useSignedIn();
  const questions = useLook<readonly Question[]>(`questions of ${projectId}`, {
    read: async () => ({ body: await api.questions(projectId) }),
    everyMs: 5_000,
  });
  const project = useLook<Project>(`project ${projectId}`, {
    read: async () => ({ body: await api.project(projectId) }),
    everyMs: 15_000,
  });
  const coming = useLook<readonly ComingEntry[]>(`coming of ${projectId}`, {
    read: async () => ({ body: await api.coming(projectId) }),
    everyMs: 15_000,
  });
  for (const look of [questions, project, coming]) useEventsFor(look, () => true);
  return { questions, project, coming };
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
