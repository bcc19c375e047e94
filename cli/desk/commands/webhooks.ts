/** `parley webhooks`: the addresses that are told events. */
import { type Command, Option } from 'commander';
import { type CreateWebhookBody, type WebhookBody, webhookEventTypes } from '../../../api/schemas/webhook-schemas';
import { shortId } from '../../../words/times';
import { type CommonFlags, confirmByName, describe, type Desk, leastPrefix } from '../desk';
import { CommandFailure, exitCodes, usageFailure } from '../exit';
import { show } from '../output';
import { type Column, tableOf } from '../render/table';

type EventType = (typeof webhookEventTypes)[number];

const columns: Column<WebhookBody>[] = [
  { title: 'NAME', cell: ({ id }) => shortId(id) },
  { title: 'STATE', cell: (webhook) => stateOf(webhook) },
  { title: 'PENDING', cell: ({ pending }) => String(pending) },
  { title: 'GIVEN-UP', cell: ({ given_up: givenUp }) => String(givenUp), wide: true },
  { title: 'FORM', cell: ({ form }) => form },
  { title: 'PROJECT', cell: ({ project_id: project }) => project ?? '<all>', wide: true },
  { title: 'NEXT-ATTEMPT', cell: ({ next_attempt_at: next }) => next ?? '', from: 100 },
  { title: 'ADDRESS', cell: ({ url }) => url, gives: true },
];

const stateOf = ({ enabled, off_because: because, next_attempt_at: next }: WebhookBody): string => {
  if (!enabled) return because === null ? 'off' : 'refused';
  return next === null ? 'on' : 'failing';
};

export const addWebhookCommands = (program: Command, desk: Desk): void => {
  const webhooks = program.command('webhooks').description('addresses that events are posted to');
  addList(webhooks, desk);
  addCreate(webhooks, desk);
  addDelete(webhooks, desk);
};

const addList = (webhooks: Command, { apiFor, console }: Desk): void => {
  describe(webhooks, {
    usage: 'list',
    summary: 'list the webhooks: what is pending, and why it failed',
    examples: [['Which one fails?', 'parley webhooks list']],
  }).action(async (flags: CommonFlags) => {
    const found = await (await apiFor(flags)).webhooks();
    const failing = found.filter((webhook) => stateOf(webhook) !== 'on' && webhook.last_error !== null);
    show(console, flags.output, {
      object: found,
      names: found.map(({ id }) => `webhook/${id}`),
      lines: (look) =>
        found.length === 0
          ? ['There are no webhooks.']
          : [
              ...tableOf(columns, found, look),
              ...failing.map(({ id, last_error: error }) => `${shortId(id)}: ${error ?? ''}`),
            ],
    });
  });
};

interface CreateFlags extends CommonFlags {
  readonly project?: string;
  readonly form?: CreateWebhookBody['form'];
  readonly event?: readonly EventType[];
}

const addCreate = (webhooks: Command, { apiFor, console }: Desk): void => {
  describe(webhooks, {
    usage: 'create <address>',
    summary: 'register an address; the secret is shown this once',
    examples: [
      [
        'For the manager of a project',
        'parley webhooks create https://vnfm.example.org/in --project 39494a5d9f424b3bb7d91d1bd2a1a1b0',
      ],
      [
        'For a manager that was written for alarms',
        'parley webhooks create https://vnfm.example.org/maintenance --form alarm --project 39494a5d9f424b3bb7d91d1bd2a1a1b0',
      ],
    ],
  })
    .option('--project <id>', "the project's own webhook: its events alone")
    .addOption(new Option('--form <form>', 'form of the events').choices(['standard', 'cloudevents', 'alarm']))
    .addOption(new Option('--event <type...>', 'event types; left out: all').choices(webhookEventTypes))
    .action(async (url: string, { project, form, event, ...flags }: CreateFlags) => {
      const created = await (
        await apiFor(flags)
      ).createWebhook({
        url,
        ...(project !== undefined && { project_id: project }),
        ...(form !== undefined && { form }),
        ...(event !== undefined && { event_types: [...event] }),
      });
      show(console, flags.output, {
        object: created,
        names: [`webhook/${created.id}`],
        lines: () => [`webhook/${created.id} registered`, `secret: ${created.secret} (it is not shown again)`],
      });
    });
};

const addDelete = (webhooks: Command, desk: Desk): void => {
  const { apiFor, console } = desk;
  describe(webhooks, {
    usage: 'delete <webhook>',
    summary: 'delete a webhook with all that is pending',
    examples: [['By the beginning of its ID', 'parley webhooks delete 5b1f0d0e']],
  })
    .option('--yes', 'do not ask')
    .action(async (given: string, flags: CommonFlags & { readonly yes?: boolean }) => {
      const api = await apiFor(flags);
      const { id } = theOneNamed(given.replace(/^webhook\//, ''), await api.webhooks());
      await confirmByName(desk, { what: `delete webhook ${id}`, name: shortId(id), yes: flags.yes === true });
      await api.removeWebhook(id);
      show(console, flags.output, { object: { id }, names: [`webhook/${id}`], lines: () => [`webhook/${id} deleted`] });
    });
};

const theOneNamed = (given: string, all: readonly WebhookBody[]): WebhookBody => {
  const matching = all.filter(({ id }) => id.startsWith(given.toLowerCase()));
  const [first, ...others] = matching;
  if (first === undefined) {
    throw new CommandFailure(`no webhook begins with ${given}`, exitCodes.failed, ['parley webhooks list shows them']);
  }
  if (others.length === 0 && given.length >= leastPrefix) return first;
  throw usageFailure(`${given} could be ${matching.map(({ id }) => shortId(id)).join(', ')}: give more of the ID`);
};
