/** An OpenStack service answered with an error. The message is in the service's own words. */
import type { HttpAnswer, HttpRequest } from '../../http/exchange';
import { reasonIn } from '../../keystone/reason-in';

export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    readonly status: number,
    /** Only the service's own words. */
    readonly reason: string,
  ) {
    super(message);
  }
}

export const serviceError = (who: string, { method, url }: HttpRequest, answer: HttpAnswer): ServiceError => {
  const reason = reasonIn(answer);
  const what = `${method} ${new URL(url).pathname}`;
  return new ServiceError(`${who} answered ${answer.status} to ${what}: ${reason}`, answer.status, reason);
};
