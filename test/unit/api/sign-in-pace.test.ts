import { createSignInPace } from '../../../api/identity/sign-in-pace';

const times = (count: number, attempt: (at: number) => boolean): number =>
  Array.from({ length: count }, (_, at) => attempt(at)).filter((isAdmitted) => isAdmitted).length;

it('admits twenty attempts of one address in a minute, and others beside them', () => {
  let nowMs = 0;
  const pace = createSignInPace(() => nowMs);
  expect(times(25, () => pace.admits('192.0.2.1'))).toBe(20);
  expect(pace.admits('192.0.2.2')).toBe(true);
  nowMs = 59_999;
  expect(pace.admits('192.0.2.1')).toBe(false);
  nowMs = 60_000;
  expect(pace.admits('192.0.2.1')).toBe(true);
});

it('admits sixty attempts in a minute, from however many addresses', () => {
  let nowMs = 0;
  const pace = createSignInPace(() => nowMs);
  expect(times(100, (at) => pace.admits(`192.0.2.${at}`))).toBe(60);
  nowMs = 60_000;
  expect(times(100, (at) => pace.admits(`192.0.2.${at}`))).toBe(60);
});
