import { randomUUID } from 'node:crypto';
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';

/** A compute host that its session has not begun with. */
export const aSessionHost = (fields: Partial<SessionHostRecord> = {}): SessionHostRecord => ({
  sessionId: randomUUID(),
  hostname: 'host-1',
  type: 'compute',
  isCompute: true,
  phase: 'waiting',
  phaseSince: new Date(0),
  disabled: false,
  disabledAt: null,
  disabledBefore: false,
  enablingAt: null,
  enabledAt: null,
  announcedAt: null,
  drainStartedAt: null,
  firstDrainedAt: null,
  offeredBefore: null,
  ignoredMarks: [],
  maintainedFrom: null,
  refusedBecause: null,
  maintained: false,
  releases: 0,
  failure: null,
  skipReason: null,
  firstAt: null,
  runId: null,
  details: '',
  findings: null,
  attendedUntil: null,
  ...fields,
});
