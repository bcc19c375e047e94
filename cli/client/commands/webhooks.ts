/** `parley webhooks list` and `show`: the addresses that are told events. */
import type { Command } from 'commander';
import type { WebhookBody, WebhookDetailBody } from '../../../api/schemas/webhook-schemas';
import { count, shortId } from '../../../rules/words/times';
import { type CommandTools, type CommonFlags, describe } from '../command-tools';
import { show } from '../output';
import { type Column, type Fit, tableOf } from '../render/table';
import { printable } from '../render/terminal-text';
import { addWebhookChanges, findWebhookId } from './change-webhooks';

const columns: Column<WebhookBody>[] = [
  { title: 'ID', cell: ({ id }) => shortId(id) },
  { title: 'STATE', cell: (webhook) => stateOf(webhook) },
  { title: 'PENDING', cell: ({ pending }) => String(pending) },
  { title: 'GIVEN-UP', cell: ({ given_up: givenUp }) => String(givenUp), mayGo: true },
  { title: 'FORM', cell: ({ form }) => form },
  { title: 'PROJECT', cell: ({ project_id: project }) => project ?? '<all>', wide: true },
  { title: 'NEXT-ATTEMPT', cell: ({ next_attempt_at: next }) => next ?? '', mayGo: true },
  { title: 'ADDRESS', cell: ({ url }) => url, breaks: 'in the middle' },
];

const stateOf = ({ enabled, off_because: because, next_attempt_at: next }: WebhookBody): string => {
  if (!enabled) return because === null ? 'off' : 'refused';
  return next === null ? 'on' : 'failing';
};

export const addWebhookCommands = (program: Command, tools: CommandTools): void => {
  const webhooks = program.command('webhooks').description('addresses that events are posted to');
  addList(webhooks, tools);
  addShow(webhooks, tools);
  addWebhookChanges(webhooks, tools);
};

const addList = (webhooks: Command, { apiFor, console }: CommandTools): void => {
  describe(webhooks, {
    usage: 'list',
    summary: 'list the webhooks with their pending events and the last failure',
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

type Delivery = WebhookDetailBody['deliveries'][number];

const deliveryColumns: Column<Delivery>[] = [
  { title: 'RECORDED', cell: ({ recorded_at: at }) => at.slice(0, 19) },
  { title: 'SESSION', cell: ({ session_id: id }) => shortId(id) },
  { title: 'TYPE', cell: ({ event_type: type }) => type, mayGo: true },
  { title: 'MESSAGE-ID', cell: ({ message_id: id }) => id, wide: true },
  { title: 'FAILED', cell: ({ attempts }) => (attempts === 0 ? '-' : `${attempts}x`) },
  { title: 'NEXT-ATTEMPT', cell: ({ next_attempt_at: next }) => next?.slice(0, 19) ?? '-', mayGo: true },
  { title: 'ERROR', cell: ({ last_error: error }) => error ?? '-', breaks: 'at words' },
];

const addShow = (webhooks: Command, { apiFor, console }: CommandTools): void => {
  describe(webhooks, {
    usage: 'show <webhook>',
    summary: 'show a webhook with its pending events and those that were given up',
    examples: [['By the beginning of its ID', 'parley webhooks show 5b1f0d0e']],
  }).action(async (given: string, flags: CommonFlags) => {
    const api = await apiFor(flags);
    const detail = await api.webhook(await findWebhookId(api, given));
    show(console, flags.output, {
      object: detail,
      names: [`webhook/${detail.id}`],
      lines: (look) => [...headOf(detail), ...pendingIn(detail, look), ...givenUpIn(detail, look)],
    });
  });
};

const headOf = (webhook: WebhookDetailBody): string[] => {
  const { id, url, form, off_because: because, event_types: types, project_id: project } = webhook;
  const { last_delivered_at: takenAt, last_failed_at: failedAt, last_error: error } = webhook;
  return [
    `Webhook   ${id}  ${form}`,
    `Address   ${url}`,
    `State     ${stateOf(webhook)}${because === null ? '' : `: ${because}`}`,
    `Told      ${types.join(', ')}${project === null ? '' : `, of project ${project}`}`,
    `Taken     ${takenAt ?? 'nothing yet'}`,
    ...(error === null ? [] : [`Failed    ${failedAt ?? ''}: ${error}`]),
  ].map(printable);
};

const pendingIn = ({ pending, deliveries }: WebhookDetailBody, fit: Fit): string[] =>
  deliveries.length === 0
    ? []
    : ['', `PENDING: ${count(pending, 'event')}, the oldest first`, ...tableOf(deliveryColumns, deliveries, fit)];

const givenUpIn = ({ id, given_up: number, given_up_deliveries: deliveries }: WebhookDetailBody, fit: Fit): string[] =>
  deliveries.length === 0
    ? []
    : [
        ...['', `GIVEN UP: ${count(number, 'event')}`, ...tableOf(deliveryColumns, deliveries, fit)],
        ...['', `parley webhooks replay ${shortId(id)}  sends them again`],
      ];
