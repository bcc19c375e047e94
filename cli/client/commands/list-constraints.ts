/** `parley constraints list`: what a project demands for all its groups and instances. */
import type { Command } from 'commander';
import type { ProjectBody } from '../../../api/schemas/project-schemas';
import { count, duration } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, describe } from '../command-tools';
import { type Looks, show } from '../output';
import { ownProject } from '../own-project';
import { type Column, tableOf } from '../render/table';

type GroupBody = ProjectBody['groups'][number];
type InstanceBody = ProjectBody['constraints'][number];

const groupColumns: Column<GroupBody>[] = [
  { title: 'GROUP', cell: ({ group_name: name }) => name, breaks: 'at words' },
  { title: 'ID', cell: ({ group_id: id }) => id, breaks: 'in the middle' },
  { title: 'MEMBERS', cell: ({ instance_ids: ids }) => String(ids.length) },
  { title: 'IMPACTED', cell: ({ max_impacted_members: most }) => `at most ${most}` },
  { title: 'RECOVERY', cell: ({ recovery_time: seconds }) => duration(seconds) },
  {
    title: 'PER-HOST',
    cell: ({ max_instances_per_host: most }) => (most === 0 ? 'any' : `at most ${most}`),
    mayGo: true,
  },
];

const instanceColumns: Column<InstanceBody>[] = [
  { title: 'INSTANCE', cell: ({ instance_name: name }) => name, breaks: 'at words' },
  { title: 'ID', cell: ({ instance_id: id }) => id, breaks: 'in the middle' },
  { title: 'ACTION', cell: ({ migration_type: action }) => action },
  { title: 'LEAD-TIME', cell: ({ lead_time: seconds }) => duration(seconds) },
  { title: 'INTERRUPTION', cell: ({ max_interruption_time: seconds }) => duration(seconds), mayGo: true },
  { title: 'GROUP-ID', cell: ({ group_id: id }) => id, wide: true },
];

export const addListConstraints = (constraints: Command, { apiFor, console }: CommandTools): void => {
  describe(constraints, {
    usage: 'list',
    summary: 'list the constraints of a project',
    about: 'A project sees its own. With -o yaml it is a file for `parley constraints import`.',
    examples: [
      ["With a project's token", 'parley constraints list'],
      ['As an admin', 'parley constraints list --project 39494a5d9f424b3bb7d91d1bd2a1a1b0'],
    ],
  })
    .option('--project <id>', 'the project; for an admin')
    .action(async (flags: CommonFlags & { readonly project?: string }) => {
      const { client } = await apiFor(flags);
      const id = flags.project ?? (await ownProject(client));
      const { groups, constraints: instances } = await client.get<ProjectBody>(`/projects/${encodeURIComponent(id)}`);
      show(console, flags.output, {
        object: { groups, instances },
        names: [
          ...groups.map(({ group_id: group }) => `group/${group}`),
          ...instances.map(({ instance_id: instance }) => `instance/${instance}`),
        ],
        lines: (look) => constraintLines({ groups, instances }, look),
      });
    });
};

interface ListedConstraints {
  readonly groups: readonly GroupBody[];
  readonly instances: readonly InstanceBody[];
}

const constraintLines = ({ groups, instances }: ListedConstraints, look: Looks): string[] => {
  if (groups.length + instances.length === 0) return ['The project has stored no constraints.'];
  return [
    ...(groups.length === 0 ? [] : [...tableOf(groupColumns, groups, look), '']),
    ...(instances.length === 0 ? [] : [...tableOf(instanceColumns, instances, look), '']),
    `${count(groups.length, 'group')}, ${count(instances.length, 'instance')}`,
  ];
};
