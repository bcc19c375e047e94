/** The endpoints of scheduled events: an addition to the interface. */
import { SecretAddressMadeSchema, SecretAddressSchema } from '../schemas/coming-schemas';
import { ScheduledEventsSchema, StartRequestsSchema } from '../schemas/scheduled-event-schemas';
import { body, type Operation } from './documented-endpoint';

const shared = { tag: 'Projects', access: 'project' } as const;
const [document, startRequests] = [
  body('ScheduledEvents', ScheduledEventsSchema),
  body('StartRequests', StartRequestsSchema),
];

/** The operations of one owner, which is a project or one instance of it. */
const operationsFor = (owner: string, id: string, whose: string): readonly Operation[] => [
  {
    ...{ ...shared, method: 'get', path: `${owner}/scheduledevents` },
    id: `get${id}`,
    summary: `Get what is coming for ${whose} in the form of Azure's Scheduled Events. An addition`,
    response: document,
    errors: [400, 500],
  },
  {
    ...{ ...shared, method: 'post', path: `${owner}/scheduledevents` },
    id: `acknowledge${id}`,
    summary: `Acknowledge events of ${whose}: agrees to each open question of which all instances are acknowledged. An addition`,
    request: startRequests,
    errors: [400, 404, 422, 500],
  },
  {
    ...{ ...shared, method: 'post', path: `${owner}/scheduledevents/address` },
    id: `make${id}Address`,
    summary: 'Make a secret address for both, without a token. The one before is withdrawn. An addition',
    response: body('SecretAddressMade', SecretAddressMadeSchema),
    errors: [400, 500],
  },
  {
    ...{ ...shared, method: 'get', path: `${owner}/scheduledevents/address` },
    id: `get${id}Address`,
    summary: 'Tell since when there is a secret address, not the address itself. An addition',
    response: body('SecretAddress', SecretAddressSchema),
    errors: [400, 404, 500],
  },
  {
    ...{ ...shared, method: 'delete', path: `${owner}/scheduledevents/address` },
    id: `withdraw${id}Address`,
    summary: 'Withdraw the secret address; succeeds when there is none. An addition',
    errors: [400, 500],
  },
];

export const scheduledEventOperations: readonly Operation[] = [
  ...operationsFor('/v1/projects/{project_id}', 'ScheduledEvents', 'the instances of a project'),
  ...operationsFor(
    '/v1/projects/{project_id}/instances/{instance_id}',
    'ScheduledEventsOfInstance',
    'one instance of a project',
  ),
  {
    ...{ method: 'get', path: '/v1/scheduledevents/{secret}', tag: 'Projects', access: 'everybody' },
    id: 'getSecretScheduledEvents',
    summary: "Get Azure's Scheduled Events at a secret address. An addition",
    response: document,
    errors: [404, 500],
  },
  {
    ...{ method: 'post', path: '/v1/scheduledevents/{secret}', tag: 'Projects', access: 'everybody' },
    id: 'acknowledgeSecretScheduledEvents',
    summary: 'Acknowledge events at a secret address. The content type does not matter. An addition',
    request: startRequests,
    errors: [400, 404, 422, 500],
  },
];
