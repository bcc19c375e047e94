/** The names of a session's projects, as far as the cloud tells them. */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { SessionDetail, WholeDetail } from '../../prisma/session/session-detail';

export interface NamedDetail extends SessionDetail {
  /** Names by the project's ID. */
  readonly projectNames: ReadonlyMap<string, string>;
}

/** Projects that the session waits for come first: a cloud only tells some names at once. */
const projectsOf = ({ openQuestions, projectAnswers, instances }: SessionDetail): string[] => [
  ...new Set([...openQuestions, ...projectAnswers, ...instances].map(({ projectId }) => projectId)),
];

/** @param others further projects of the session, where the detail does not have all its instances */
export const withProjectNames = async <Detail extends SessionDetail>(
  cloud: CloudDriver,
  detail: Detail,
  others: readonly string[] = [],
): Promise<Detail & Pick<NamedDetail, 'projectNames'>> => ({
  ...detail,
  projectNames:
    (await cloud.projectNames?.([...new Set([...projectsOf(detail), ...others])])) ?? new Map<string, string>(),
});

export type NamedWhole = WholeDetail & NamedDetail;

/** The text with each project's name beside its ID. */
export const namingProjects = (text: string, projectNames: ReadonlyMap<string, string>): string =>
  [...projectNames].reduce(
    (named, [projectId, name]) => named.replaceAll(`project ${projectId}`, () => `project ${name} (${projectId})`),
    text,
  );
