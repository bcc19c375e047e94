/** `parley calendar`: the secret address at which a calendar program sees what is coming for a project. */
import type { Command } from 'commander';
import type { SecretAddressBody, SecretAddressMadeBody } from '../../../api/schemas/coming-schemas';
import { type CommandTools, type CommonFlags, confirmByName, describe } from '../command-tools';
import type { Client } from '../http-client';
import { done, show } from '../output';
import { ownProject } from '../own-project';

interface AddressFlags extends CommonFlags {
  readonly project?: string;
  readonly yes?: boolean;
}

/** A kind of secret address, by the name of its commands. */
interface AddressKind {
  readonly name: string;
  /** Follows "the address of". */
  readonly what: string;
  readonly path: (projectId: string) => string;
}

const calendar: AddressKind = {
  name: 'calendar',
  what: 'the calendar of what is coming for a project',
  path: (projectId) => `/projects/${encodeURIComponent(projectId)}/calendar`,
};

export const addSecretAddressCommands = (program: Command, tools: CommandTools): void => {
  for (const kind of [calendar]) {
    const group = program.command(kind.name).description(`the secret address of ${kind.what}`);
    addCreate(group, tools, kind);
    addGet(group, tools, kind);
    addDelete(group, tools, kind);
  }
};

const adminOption = ['--project <id>', 'the project; for an admin'] as const;

const projectOf = async (client: Client, { project }: AddressFlags): Promise<string> =>
  project ?? (await ownProject(client));

const addCreate = (group: Command, { apiFor, console }: CommandTools, { name, what, path }: AddressKind): void => {
  describe(group, {
    usage: 'create',
    summary: `make the address, which is shown once; the one before is withdrawn`,
    about: `Whoever has the address sees ${what}, without a token.`,
    examples: [["With a project's token", `parley ${name} create`]],
  })
    .option(...adminOption)
    .action(async (flags: AddressFlags) => {
      const { client } = await apiFor(flags);
      const id = await projectOf(client, flags);
      const made = await client.send<SecretAddressMadeBody>('POST', path(id));
      const more = [made.url, 'It is not shown again. Whoever has it needs no token.'];
      show(console, flags.output, done(`${name}/${id}`, 'made', { object: made, more }));
    });
};

const addGet = (group: Command, { apiFor, console }: CommandTools, { name, path }: AddressKind): void => {
  describe(group, {
    usage: 'get',
    summary: 'tell since when there is an address',
    examples: [["With a project's token", `parley ${name} get`]],
  })
    .option(...adminOption)
    .action(async (flags: AddressFlags) => {
      const { client } = await apiFor(flags);
      const id = await projectOf(client, flags);
      const found = await client.get<SecretAddressBody>(path(id));
      show(console, flags.output, done(`${name}/${id}`, `made at ${found.created_at}`, { object: found }));
    });
};

const addDelete = (group: Command, tools: CommandTools, { name, what, path }: AddressKind): void => {
  const { apiFor, console } = tools;
  describe(group, {
    usage: 'delete',
    summary: 'withdraw the address, which shows nothing any more',
    examples: [["With a project's token", `parley ${name} delete --yes`]],
  })
    .option(...adminOption)
    .option('-y, --yes', 'do not ask')
    .action(async (flags: AddressFlags) => {
      const { client } = await apiFor(flags);
      const id = await projectOf(client, flags);
      await confirmByName(tools, { what: `withdraw the address of ${what}`, name: id, yes: flags.yes === true });
      await client.send('DELETE', path(id));
      show(console, flags.output, done(`${name}/${id}`, 'withdrawn', { object: { project_id: id } }));
    });
};
