/** A host's record after a restore, beside a cloud that continued. */
import { afterRestore, type RestoredHost } from '../../../../activities/upkeep/after-restore';

const waiting: RestoredHost = { hostname: 'a', phase: 'waiting', disabled: false, disabledBefore: null };
const maintaining: RestoredHost = { ...waiting, phase: 'maintaining', disabled: true, disabledBefore: false };
const disabledByUs = { enabled: false, isOurs: true };
const disabledByOther = { enabled: false, isOurs: false };
const enabled = { enabled: true, isOurs: false };

it.each(['emptying', 'maintaining', 'releasing'] as const)('a host that was %s counts as failed', (phase) => {
  const change = afterRestore({ ...maintaining, phase }, disabledByUs);
  expect(change).toMatchObject({ phase: 'failed', disabled: true, disabledBefore: false });
  expect(change.failure).toContain('host a was under work');
});

it('a host that its session has disabled since counts as failed, and as disabled by the session', () => {
  const change = afterRestore(waiting, disabledByUs);
  expect(change).toMatchObject({ phase: 'failed', disabled: true, disabledBefore: false });
  expect(change.failure).toContain('disabled after the backup');
});

it.each([
  { situation: 'waits, as on record', host: waiting, listed: enabled, disabled: false },
  { situation: 'was enabled since', host: { ...maintaining, phase: 'failed' }, listed: enabled, disabled: false },
  { situation: 'was left disabled', host: { ...maintaining, phase: 'failed' }, listed: disabledByUs, disabled: true },
  { situation: 'is disabled by somebody else', host: waiting, listed: disabledByOther, disabled: false },
  {
    situation: 'was disabled before the session',
    host: { ...waiting, disabled: true, disabledBefore: true },
    listed: disabledByOther,
    disabled: true,
  },
  {
    situation: 'is maintained and was switched late',
    host: { ...waiting, phase: 'maintained' },
    listed: disabledByUs,
    disabled: false,
  },
] as const)('a host that $situation keeps its phase', ({ host, listed, disabled }) => {
  const change = afterRestore(host, listed);
  expect(change.phase).toBeUndefined();
  expect(change.disabled).toBe(disabled);
});

it('a host that the cloud does not list stays as it is on record', () => {
  expect(afterRestore({ ...maintaining, phase: 'failed' }, undefined)).toEqual({ disabled: true });
});
