/** The endpoints that show a project what it has in sessions, and what is coming: additions to the interface. */
import { ComingSchema, SecretAddressMadeSchema, SecretAddressSchema } from '../schemas/coming-schemas';
import { ProjectSchema } from '../schemas/project-schemas';
import { VendordataRequestSchema, VendordataSchema } from '../schemas/vendordata-schemas';
import { body, type Operation } from './documented-endpoint';
import { scheduledEventOperations } from './scheduled-event-operations';

const shared = { method: 'get', tag: 'Projects', access: 'project' } as const;

export const lookOperations: readonly Operation[] = [
  {
    ...shared,
    path: '/v1/projects/{project_id}',
    id: 'getProject',
    summary: 'Get the instances of a project in sessions that are not done, and its constraints. An addition',
    response: body('Project', ProjectSchema),
    errors: [400, 422, 500],
  },
  {
    ...shared,
    path: '/v1/projects/{project_id}/coming',
    id: 'getComing',
    summary: 'Get what is coming for the instances of a project in sessions, and when it is expected. An addition',
    response: body('Coming', ComingSchema),
    errors: [400, 500],
  },
  {
    ...shared,
    path: '/v1/projects/{project_id}/instances/{instance_id}/coming',
    id: 'getComingOfInstance',
    summary: 'Get the same for one instance; the list is empty where nothing is coming. An addition',
    response: body('Coming', ComingSchema),
    errors: [400, 500],
  },
  {
    ...shared,
    path: '/v1/projects/{project_id}/coming.ics',
    id: 'getComingCalendar',
    summary: 'Get what the project was told is coming, as a calendar. An addition',
    content: 'text/calendar',
    errors: [400, 500],
  },
  {
    ...{ ...shared, method: 'post', path: '/v1/projects/{project_id}/calendar' },
    id: 'makeCalendar',
    summary:
      'Make a secret address of that calendar, for programs that send no token. The one before is withdrawn. An addition',
    response: body('SecretAddressMade', SecretAddressMadeSchema),
    errors: [400, 500],
  },
  {
    ...{ ...shared, path: '/v1/projects/{project_id}/calendar' },
    id: 'getCalendar',
    summary: 'Tell since when there is a secret address of the calendar, not the address itself. An addition',
    response: body('SecretAddress', SecretAddressSchema),
    errors: [400, 404, 500],
  },
  {
    ...{ ...shared, method: 'delete', path: '/v1/projects/{project_id}/calendar' },
    id: 'withdrawCalendar',
    summary: 'Withdraw the secret address of the calendar; succeeds when there is none. An addition',
    errors: [400, 500],
  },
  {
    ...{ ...shared, path: '/v1/calendars/{secret}.ics', access: 'everybody' },
    id: 'getSecretCalendar',
    summary: 'Get the calendar of a project at its secret address. An addition',
    content: 'text/calendar',
    errors: [404, 500],
  },
  ...scheduledEventOperations,
  {
    ...{ method: 'post', path: '/v1/vendordata', tag: 'Projects', access: 'project' },
    id: 'getVendordata',
    summary: "Get what is coming for an instance, as a target of Nova's dynamic vendor data. An addition",
    request: body('VendordataRequest', VendordataRequestSchema),
    response: body('Vendordata', VendordataSchema),
    errors: [400, 422, 500],
  },
];
