/** A host that a late call of ours has switched against what was decided since. */
import {
  type HostOnRecord,
  isDisabledLate,
  switchBack,
  type SwitchedHost,
} from '../../../../activities/hosts/late-switch';

const enabled: SwitchedHost = { name: 'a', isCompute: true, enabled: true };
const disabledByUs: SwitchedHost = { ...enabled, enabled: false, disabledBy: 'session-1' };
const disabledByOther: SwitchedHost = { ...enabled, enabled: false };

const record = (given: Partial<HostOnRecord> = {}): HostOnRecord => ({
  ...{ sessionId: 'session-1', hostname: 'a', phase: 'maintaining', isBeingEnabled: false },
  disabled: true,
  ...given,
});

describe('a host that is disabled', () => {
  it.each([
    { situation: 'no session has it', records: [] },
    { situation: 'only another host is under work', records: [record({ hostname: 'b' })] },
    { situation: 'it waits', records: [record({ phase: 'waiting', disabled: false })] },
    { situation: 'it is maintained', records: [record({ phase: 'maintained', disabled: false })] },
    { situation: 'it was given back and failed', records: [record({ phase: 'failed', disabled: false })] },
    { situation: 'it was set aside and enabled', records: [record({ phase: 'set_aside', disabled: false })] },
    { situation: 'another session set it aside', records: [record({ phase: 'set_aside', sessionId: 'session-2' })] },
  ])('by our reason is enabled where $situation', ({ records }) => {
    expect(switchBack(disabledByUs, records)).toEqual({ kind: 'enable', hostname: 'a' });
    expect(isDisabledLate(disabledByUs, records)).toBe(true);
  });

  it.each([
    { situation: 'is being disabled', given: { phase: 'emptying', disabled: false } },
    { situation: 'is in maintenance', given: {} },
    { situation: 'is given back just now', given: { phase: 'releasing' } },
    { situation: 'was left disabled', given: { phase: 'failed' } },
    { situation: 'was set aside to be left so', given: { phase: 'set_aside' } },
    { situation: 'was left disabled, and its session goes on', given: { phase: 'waiting' } },
    { situation: 'is under the work of another session', given: { sessionId: 'session-2', phase: 'emptying' } },
  ] as const)('stays so where it $situation', ({ given }) => {
    expect(switchBack(disabledByUs, [record(given)])).toBeUndefined();
  });

  it('by somebody else stays so', () => {
    expect(switchBack(disabledByOther, [record({ phase: 'maintained', disabled: false })])).toBeUndefined();
  });
});

describe('a host that is enabled', () => {
  it.each(['emptying', 'maintaining'] as const)('is disabled where it is %s', (phase) => {
    const expected = { kind: 'disable', hostname: 'a', sessionId: 'session-1' };
    expect(switchBack(enabled, [record({ hostname: 'b' }), record({ phase })])).toEqual(expected);
  });

  it.each([
    { situation: 'its own call is under way', given: { disabled: false, phase: 'emptying' } },
    { situation: 'it is being enabled', given: { isBeingEnabled: true } },
    { situation: 'it is given back', given: { phase: 'releasing' } },
    { situation: 'it was left disabled after a failure, and repaired', given: { phase: 'failed' } },
    { situation: 'it was set aside, and repaired', given: { phase: 'set_aside' } },
  ] as const)('stays so where $situation', ({ given }) => {
    expect(switchBack(enabled, [record(given)])).toBeUndefined();
  });

  it('stays so where it cannot be disabled', () => {
    expect(switchBack({ ...enabled, isCompute: false }, [record()])).toBeUndefined();
  });
});
