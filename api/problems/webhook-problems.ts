/** The refusals of the endpoints of webhooks. */
import { ApiError } from './problem';
import { fieldsHint, type RefuseFields } from './problem-catalogue';

/** 400, as for sessions. */
export const invalidWebhook: RefuseFields = (errors) =>
  new ApiError({
    status: 400,
    code: 'INVALID_REQUEST',
    detail: 'the webhook cannot be created as requested; nothing was stored',
    errors,
    hint: fieldsHint,
  });

export const webhookNotFound = (webhookId: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'WEBHOOK_NOT_FOUND',
    detail: `there is no webhook ${webhookId}`,
    hint: 'GET /v1/webhooks lists the webhooks; a deleted one is gone',
  });
