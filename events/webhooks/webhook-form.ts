/** The forms in which a webhook may be told an event. */
import type { WebhookForm } from '../../prisma/webhooks/webhook-forms';
import { toAlarm } from '../alarm';
import type { BusMessage } from '../bus';
import { cloudEventContentType, type CloudEventNames, toCloudEvent } from '../cloud-event';

export interface WebhookContent {
  readonly contentType: string;
  readonly body: string;
}

const asJson = (value: object): WebhookContent => ({ contentType: 'application/json', body: JSON.stringify(value) });

export const contentOf = (
  { id, form }: { readonly id: string; readonly form: WebhookForm },
  message: BusMessage,
  names: CloudEventNames,
): WebhookContent => {
  switch (form) {
    case 'standard':
      return asJson(message.envelope);
    case 'cloudevents':
      return { contentType: cloudEventContentType, body: JSON.stringify(toCloudEvent(message, names)) };
    case 'alarm':
      return asJson(toAlarm(message.envelope, id));
  }
};
