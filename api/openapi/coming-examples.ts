/** Examples of secret addresses and scheduled events. */
import { instanceId, projectId, sessionId } from './example-ids';

export const comingExamples = {
  VendordataRequest: {
    ...{ 'project-id': projectId, 'instance-id': instanceId, 'image-id': null, 'user-data': null },
    ...{ hostname: 'web-1', metadata: {}, 'boot-roles': 'member,reader' },
  },
  Vendordata: {
    coming: [
      {
        ...{ session_id: sessionId, reason: 'an update against a hole in the kernel', status: 'scheduled' },
        ...{ impact: 'LIVE_MIGRATE', starts_at: '2026-04-15T22:00:00.000Z' },
        ...{ starts_at_latest: '2026-04-15T22:30:00.000Z', sequence: 1 },
      },
    ],
  },
  SecretAddressMade: {
    url: 'http://127.0.0.1:12347/v1/calendars/Zk4mV0w3nHcS7hC1kq2oX9bWbJ8x5tYlQ0pRrE6uA-I.ics',
    created_at: '2026-04-15T11:43:28.000Z',
  },
  ScheduledEvents: {
    DocumentIncarnation: 42,
    Events: [
      {
        ...{ EventId: 'b5b1f0d0-e000-4000-8000-000000000001', EventType: 'Freeze', ResourceType: 'VirtualMachine' },
        ...{ Resources: ['web-1'], EventStatus: 'Scheduled', NotBefore: 'Wed, 15 Apr 2026 22:00:00 GMT' },
        ...{ Description: 'an update against a hole in the kernel', EventSource: 'Platform', DurationInSeconds: -1 },
      },
    ],
  },
  StartRequests: { StartRequests: [{ EventId: 'b5b1f0d0-e000-4000-8000-000000000001' }] },
  SecretAddress: { created_at: '2026-04-15T11:43:28.000Z' },
};
