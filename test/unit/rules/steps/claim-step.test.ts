import { type ClaimToEnd, type EndOfClaim, recoverySecondsAfter } from '../../../../rules/steps/claim-step';

const granted: ClaimToEnd = { recoveryTime: 30, isAsked: false, isBegun: false, isForced: false };
const begun: ClaimToEnd = { ...granted, isBegun: true };

it.each<{ situation: string; claim: ClaimToEnd; end: EndOfClaim; seconds: number }>([
  { situation: 'a move that is done', claim: begun, end: { outcome: 'done' }, seconds: 30 },
  { situation: 'a move that failed', claim: begun, end: { outcome: 'failed' }, seconds: 30 },
  { situation: 'an instance that is gone', claim: granted, end: { outcome: 'gone' }, seconds: 30 },
  { situation: 'a grant that is dropped', claim: granted, end: { outcome: 'dropped' }, seconds: 0 },
  { situation: 'a grant that fails', claim: granted, end: { outcome: 'failed' }, seconds: 0 },
  { situation: 'a target that is refused', claim: begun, end: { outcome: 'refused' }, seconds: 0 },
  {
    situation: 'a forced move that is refused',
    claim: { ...begun, isForced: true },
    end: { outcome: 'refused' },
    seconds: 30,
  },
  { situation: 'an action in vain', claim: begun, end: { outcome: 'dropped', isUntouched: true }, seconds: 0 },
  {
    situation: 'a question that is dropped',
    claim: { ...granted, isAsked: true },
    end: { outcome: 'dropped' },
    seconds: 30,
  },
  {
    situation: 'an asked action in vain',
    claim: { ...begun, isAsked: true },
    end: { outcome: 'dropped', isUntouched: true },
    seconds: 30,
  },
])('groups recover for $seconds s after $situation', ({ claim, end, seconds }) => {
  expect(recoverySecondsAfter(claim, end)).toBe(seconds);
});
