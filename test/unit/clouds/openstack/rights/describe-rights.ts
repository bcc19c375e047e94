/** The table of rights as docs/openstack.md shows it, and the lines of a policy file for a role. */
import { type Right, rightsTable } from '../../../../../clouds/openstack/rights/table';

const row = ({ rule, neededTo, triedBy, lost }: Right): string =>
  `| \`${rule}\` | ${neededTo} | ${triedBy} | ${lost ?? 'no work on a host begins'} |`;

export const rightsMarkdown = (): string =>
  ['| Right | Needed to | Tried by | Lost without it |', '| --- | --- | --- | --- |', ...rightsTable.map(row)].join(
    '\n',
  );

/** Lines of Nova's policy file. */
export const policyLines = (role: string): string =>
  rightsTable
    .filter(({ rule }) => /^(os_compute_api:|context_is_admin$)/.test(rule))
    .map(({ rule }) => `    "${rule}": "role:admin or role:${role}"`)
    .join('\n');
