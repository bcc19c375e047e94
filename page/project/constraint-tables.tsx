/** The constraints that a project has stored, of its groups and its instances. */
import { duration } from '../../rules/words/times';
import type { Project } from '../client/types';

const yes = (is: boolean): string => (is ? 'yes' : 'no');

export const ConstraintTables = ({ project: { groups, constraints } }: { readonly project: Project }) => {
  const nameOf = (groupId: string): string =>
    groups.find(({ group_id: one }) => one === groupId)?.group_name ?? groupId;
  return (
    <section aria-labelledby="constraints">
      <h2 id="constraints">Your constraints</h2>
      {groups.length + constraints.length === 0 && <p class="hint">None are stored.</p>}
      {groups.length > 0 && (
        <Table
          name="Groups"
          heads={['Group', 'Impacted at once, at most', 'Recovery', 'Apart from each other', 'On one host, at most']}
          rows={groups.map((one) => [
            one.group_name,
            one.max_impacted_members,
            duration(one.recovery_time),
            yes(one.anti_affinity_group),
            one.max_instances_per_host,
          ])}
        />
      )}
      {constraints.length > 0 && (
        <Table
          name="Instances"
          heads={['Instance', 'Group', 'Action', 'Time to answer', 'Longest interruption']}
          rows={constraints.map((one) => [
            one.instance_name,
            nameOf(one.group_id),
            one.migration_type,
            duration(one.lead_time),
            duration(one.max_interruption_time),
          ])}
        />
      )}
    </section>
  );
};

interface TableProps {
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

const Table = ({ name, heads, rows }: TableProps) => (
  <div class="scrolls" tabIndex={0} role="region" aria-label={name}>
    <table aria-label={name}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={heads[column]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
