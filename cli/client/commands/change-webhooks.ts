/** `parley webhooks create`, `set`, `replay`, `rotate` and `delete`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ChangeWebhookBody, CreateWebhookBody } from '../../../api/schemas/webhook-schemas';
import { webhookEventTypes, webhookForms } from '../../../prisma/webhooks/webhook-forms';
import { count, shortId } from '../../../rules/words/times';
import type { Api } from '../api';
import { type CommandTools, type CommonFlags, confirmByName, describe, theOneNamed } from '../command-tools';
import { fieldsIn } from '../input-file';
import { done, show } from '../output';

type WebhookEventType = (typeof webhookEventTypes)[number];

export const addWebhookChanges = (webhooks: Command, tools: CommandTools): void => {
  addCreate(webhooks, tools);
  addSet(webhooks, tools);
  addReplay(webhooks, tools);
  addRotate(webhooks, tools);
  addDelete(webhooks, tools);
};

export const findWebhookId = async (api: Api, given: string): Promise<string> => {
  const [things, help] = [await api.webhooks(), 'parley webhooks list shows them'];
  return theOneNamed(given, { kind: 'webhook', things, idOf: ({ id }) => id, help }).id;
};

interface CreateWebhookFlags extends CommonFlags {
  readonly project?: string;
  readonly form?: CreateWebhookBody['form'];
  readonly event?: readonly WebhookEventType[];
}

const addCreate = (webhooks: Command, { apiFor, console }: CommandTools): void => {
  describe(webhooks, {
    usage: 'create <address>',
    summary: 'register an address; the secret is shown once',
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
    .addOption(new Option('--form <form>', 'form of the events').choices(webhookForms))
    .addOption(
      new Option('--event <type...>', 'event types; left out: those of the specification').choices(webhookEventTypes),
    )
    .action(async (url: string, { project, form, event, ...flags }: CreateWebhookFlags) => {
      const api = await apiFor(flags);
      const created = await api.createWebhook({
        url,
        ...(project !== undefined && { project_id: project }),
        ...(form !== undefined && { form }),
        ...(event !== undefined && { event_types: [...event] }),
      });
      const more = [`secret: ${created.secret} (it is not shown again)`];
      show(console, flags.output, done(`webhook/${created.id}`, 'registered', { object: created, more }));
    });
};

const addSet = (webhooks: Command, { apiFor, console }: CommandTools): void => {
  describe(webhooks, {
    usage: 'set <webhook> <fields...>',
    summary: 'change a webhook: FIELD=VALUE; its pending events are tried again at once',
    about: 'Fields: url, event_types, form, enabled. A value is YAML.',
    examples: [
      ['Switch it off', 'parley webhooks set 5b1f0d0e enabled=false'],
      ['Try what is pending at once, after a repair', 'parley webhooks set 5b1f0d0e enabled=true'],
    ],
  }).action(async (given: string, fields: readonly string[], flags: CommonFlags) => {
    const change = fieldsIn(fields) as ChangeWebhookBody;
    const api = await apiFor(flags);
    const id = await findWebhookId(api, given);
    show(console, flags.output, done(`webhook/${id}`, 'changed', { object: await api.changeWebhook(id, change) }));
  });
};

const addReplay = (webhooks: Command, { apiFor, console }: CommandTools): void => {
  describe(webhooks, {
    usage: 'replay <webhook>',
    summary: 'send the events again that were given up, and try each for another day',
    examples: [['After the receiver was away for more than a day', 'parley webhooks replay 5b1f0d0e']],
  }).action(async (given: string, flags: CommonFlags) => {
    const api = await apiFor(flags);
    const id = await findWebhookId(api, given);
    const answer = await api.replayWebhook(id);
    show(console, flags.output, {
      object: answer,
      names: [`webhook/${id}`],
      lines: () => [`webhook/${id}: ${count(answer.replayed, 'event')} to be sent again`],
    });
  });
};

const wholeSeconds = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a number of seconds is needed.');
};

const addRotate = (webhooks: Command, { apiFor, console }: CommandTools): void => {
  describe(webhooks, {
    usage: 'rotate <webhook>',
    summary: 'make a new secret, which is shown once; for a time deliveries are signed with the old one too',
    examples: [
      ['The receiver has a day to change over', 'parley webhooks rotate 5b1f0d0e'],
      ['The old secret was stolen: it ends now', 'parley webhooks rotate 5b1f0d0e --keep-old 0'],
    ],
  })
    .option('--keep-old <seconds>', 'sign with the old secret too for this time; left out: a day', wholeSeconds)
    .action(async (given: string, { keepOld, ...flags }: CommonFlags & { readonly keepOld?: number }) => {
      const api = await apiFor(flags);
      const id = await findWebhookId(api, given);
      const rotated = await api.rotateSecret(id, keepOld);
      const words = `has a new secret; deliveries are signed with the old one too until ${rotated.old_secret_until}`;
      const more = [`secret: ${rotated.secret} (it is not shown again)`];
      show(console, flags.output, done(`webhook/${id}`, words, { object: rotated, more }));
    });
};

const addDelete = (webhooks: Command, tools: CommandTools): void => {
  const { apiFor, console } = tools;
  describe(webhooks, {
    usage: 'delete <webhook>',
    summary: 'delete a webhook and its pending events',
    examples: [['By the beginning of its ID', 'parley webhooks delete 5b1f0d0e']],
  })
    .option('-y, --yes', 'do not ask')
    .action(async (given: string, flags: CommonFlags & { readonly yes?: boolean }) => {
      const api = await apiFor(flags);
      const id = await findWebhookId(api, given);
      await confirmByName(tools, { what: `delete webhook ${id}`, name: shortId(id), yes: flags.yes === true });
      await api.removeWebhook(id);
      show(console, flags.output, done(`webhook/${id}`, 'deleted', { object: { id } }));
    });
};
