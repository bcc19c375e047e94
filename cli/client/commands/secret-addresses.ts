/**
 * `parley calendar` and `parley scheduled-events`: the secret addresses at which programs without a token see what is
 * coming for a project.
 */
import type { Command } from 'commander';
import type { SecretAddressBody, SecretAddressMadeBody } from '../../../api/schemas/coming-schemas';
import { type CommandTools, type CommonFlags, confirmByName, describe } from '../command-tools';
import type { Client } from '../http-client';
import { done, show } from '../output';
import { ownProject } from '../own-project';

interface AddressFlags extends CommonFlags {
  readonly project?: string;
  readonly instance?: string;
  readonly yes?: boolean;
}

/** A kind of secret address, by the name of its commands. */
interface AddressKind {
  readonly name: string;
  /** Follows "the address of". */
  readonly what: string;
  /** Follows the path of the project, or of its instance. */
  readonly end: string;
  /** It may be about one instance alone. */
  readonly isOfInstances?: true;
  /** The right that the address gives beside looking; left out: none. */
  readonly right?: string;
}

const calendar: AddressKind = {
  name: 'calendar',
  what: 'the calendar of what is coming for a project',
  end: '/calendar',
};

const scheduledEvents: AddressKind = {
  name: 'scheduled-events',
  what: "what is coming in the form of Azure's Scheduled Events",
  end: '/scheduledevents/address',
  isOfInstances: true,
  right: 'may acknowledge them, which agrees to what is asked',
};

export const addSecretAddressCommands = (program: Command, tools: CommandTools): void => {
  for (const kind of [calendar, scheduledEvents]) {
    const group = program.command(kind.name).description(`the secret address of ${kind.what}`);
    addCreate(group, tools, kind);
    addGet(group, tools, kind);
    addDelete(group, tools, kind);
  }
};

/** The thing in its words, and its path. */
interface NamedAddress {
  readonly id: string;
  readonly path: string;
}

const whoseAddress = async (client: Client, kind: AddressKind, flags: AddressFlags): Promise<NamedAddress> => {
  const project = flags.project ?? (await ownProject(client));
  const of = flags.instance === undefined ? '' : `/instances/${encodeURIComponent(flags.instance)}`;
  return { id: flags.instance ?? project, path: `/projects/${encodeURIComponent(project)}${of}${kind.end}` };
};

const withOwner = (command: Command, { isOfInstances }: AddressKind): Command => {
  const named = command.option('--project <id>', 'the project; for an admin');
  return isOfInstances === true ? named.option('--instance <id>', 'only what is coming for this instance') : named;
};

const addCreate = (group: Command, { apiFor, console }: CommandTools, kind: AddressKind): void => {
  const { name, what, right } = kind;
  const command = describe(group, {
    usage: 'create',
    summary: 'make the address, which is shown once; the one before is withdrawn',
    about: `Whoever has the address sees ${what}, without a token${right === undefined ? '' : `, and ${right}`}.`,
    examples: [["With a project's token", `parley ${name} create`]],
  });
  withOwner(command, kind).action(async (flags: AddressFlags) => {
    const { client } = await apiFor(flags);
    const { id, path } = await whoseAddress(client, kind, flags);
    const made = await client.send<SecretAddressMadeBody>('POST', path);
    const more = [made.url, 'It is not shown again. Whoever has it needs no token.'];
    show(console, flags.output, done(`${name}/${id}`, 'made', { object: made, more }));
  });
};

const addGet = (group: Command, { apiFor, console }: CommandTools, kind: AddressKind): void => {
  const { name } = kind;
  const command = describe(group, {
    usage: 'get',
    summary: 'tell since when there is an address',
    examples: [["With a project's token", `parley ${name} get`]],
  });
  withOwner(command, kind).action(async (flags: AddressFlags) => {
    const { client } = await apiFor(flags);
    const { id, path } = await whoseAddress(client, kind, flags);
    const found = await client.get<SecretAddressBody>(path);
    show(console, flags.output, done(`${name}/${id}`, `made at ${found.created_at}`, { object: found }));
  });
};

const addDelete = (group: Command, tools: CommandTools, kind: AddressKind): void => {
  const { apiFor, console } = tools;
  const { name, what } = kind;
  const command = describe(group, {
    usage: 'delete',
    summary: 'withdraw the address, which shows nothing any more',
    examples: [["With a project's token", `parley ${name} delete --yes`]],
  }).option('-y, --yes', 'do not ask');
  withOwner(command, kind).action(async (flags: AddressFlags) => {
    const { client } = await apiFor(flags);
    const { id, path } = await whoseAddress(client, kind, flags);
    await confirmByName(tools, { what: `withdraw the address of ${what}`, name: id, yes: flags.yes === true });
    await client.send('DELETE', path);
    show(console, flags.output, done(`${name}/${id}`, 'withdrawn', { object: { id } }));
  });
};
