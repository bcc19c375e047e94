/** One call to Keystone. */
import { type Exchange, type HttpAnswer, type HttpRequest, NoAnswer } from '../http/exchange';
import { KeystoneAway } from './keystone-errors';
import { reasonIn } from './reason-in';

const awayAt = (url: string, error: unknown): unknown =>
  error instanceof NoAnswer
    ? new KeystoneAway(`Keystone does not answer at ${url}: ${error.reason}`, { cause: error })
    : error;

/**
 * Asks twice, because the other side may have closed a connection that was kept from an earlier call.
 * @throws KeystoneAway when nothing answers, or a server error does
 */
export const askKeystone = async (exchange: Exchange, request: HttpRequest): Promise<HttpAnswer> => {
  const answer = await exchange(request)
    .catch(() => exchange(request))
    .catch((error: unknown) => {
      throw awayAt(request.url, error);
    });
  if (answer.status < 500 && answer.status !== 429) return answer;
  throw new KeystoneAway(`Keystone answers ${answer.status} at ${request.url}: ${reasonIn(answer)}`);
};
