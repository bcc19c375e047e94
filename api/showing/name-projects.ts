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

const namesOf = async (cloud: CloudDriver, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  (await cloud.projectNames?.([...new Set(ids)])) ?? new Map<string, string>();

/** The names of the projects of these things. */
export const projectNamesIn = (
  cloud: CloudDriver,
  things: readonly { readonly projectId?: string | undefined }[],
): Promise<ReadonlyMap<string, string>> =>
  namesOf(
    cloud,
    things.flatMap(({ projectId }) => projectId ?? []),
  );

/** @param others further projects of the session, where the detail does not have all its instances */
export const withProjectNames = async <Detail extends SessionDetail>(
  cloud: CloudDriver,
  detail: Detail,
  others: readonly string[] = [],
): Promise<Detail & Pick<NamedDetail, 'projectNames'>> => ({
  ...detail,
  projectNames: await namesOf(cloud, [...projectsOf(detail), ...others]),
});

export type NamedWhole = WholeDetail & NamedDetail;
