/** The forms in which a webhook may be told an event. */
import { toAlarm } from '../events/alarm';
import type { BusMessage } from '../events/bus';
import { cloudEventContentType, type CloudEventNames, toCloudEvent } from '../events/cloud-event';
import type { WebhookForm } from '../prisma/webhooks/webhook-forms';

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
