/** Constraints of managers on a real Nova, as a slow machine takes them. */
import type { Admin } from '../../integration/rig/admin';
import { Hopeless } from '../../waiting/eventually';
import { until } from './operator';

/** The service asks Nova whose a server is, and answers 503 where that takes too long: the manager then asks again. */
export const storeConstraints = (admin: Admin, path: string, constraints: object): Promise<true> =>
  until(`the constraints ${path} are stored`, async () => {
    const { status, body } = await admin.call('PUT', path, constraints);
    if (status === 503) return undefined;
    if (status !== 200) throw new Hopeless(`${path} was answered ${status}: ${JSON.stringify(body)}`);
    return true;
  });
