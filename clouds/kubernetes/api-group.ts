/**
 * The name under which Kubernetes knows Parley: the prefix of its labels and annotations, and the API group of the
 * resources that rights are given on.
 */
export const apiGroup = 'parley.maintenance';
