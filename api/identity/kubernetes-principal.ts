/** Decides which rights the owner of a token of a Kubernetes cluster has here. */
import type { CallerReviews, ReviewedUser } from '../../clouds/kubernetes/caller-reviews';
import { idOf } from '../../rules/cloud/id';
import type { ApiError } from '../problems/problem';
import { tokenWithoutRights } from '../problems/problem-catalogue';
import type { Principal } from './identity';

/** Service accounts are users of this name. Only they belong to a namespace. */
const serviceAccount = /^system:serviceaccount:(?<namespace>[a-z0-9-]+):[^:]+$/;

const namespaceOf = ({ username }: ReviewedUser): string | undefined =>
  serviceAccount.exec(username)?.groups?.['namespace'];

const noProject = (username: string): ApiError =>
  tokenWithoutRights(
    `${username} may not manage sessions, and belongs to no namespace whose instances it could manage`,
    'bind the role of admins to this user; or act for a namespace by a token of a service account in it: ' +
      'kubectl --namespace NAMESPACE create token SERVICEACCOUNT',
  );

const notManager = (username: string, namespace: string): ApiError =>
  tokenWithoutRights(
    `${username} may manage neither sessions nor the instances of the namespace ${namespace}`,
    `bind the role of managers to this service account in the namespace ${namespace}`,
  );

/**
 * The caller, or the refusal, which counts for as long as an answer is kept.
 * @throws what the reviews throw, when nothing can be told
 */
export const principalOfUser = async (
  reviews: Pick<CallerReviews, 'mayManage' | 'idOfNamespace'>,
  user: ReviewedUser,
): Promise<Principal | ApiError> => {
  const caller = user.username;
  if (await reviews.mayManage(user, 'sessions')) return { kind: 'admin', caller };
  const namespace = namespaceOf(user);
  if (namespace === undefined) return noProject(caller);
  if (!(await reviews.mayManage(user, 'instances', namespace))) return notManager(caller, namespace);
  const id = await reviews.idOfNamespace(namespace);
  if (id === undefined) return noProject(caller);
  return { kind: 'project', projectId: idOf(id), projectName: namespace, caller };
};
