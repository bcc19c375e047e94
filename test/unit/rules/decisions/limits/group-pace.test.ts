import { secondsPerMember } from '../../../../../rules/decisions/limits/group-pace';
import { aGroup } from '../../../../builders/a-fleet';

const seconds = (maxImpactedMembers: number, recoveryTimeSeconds: number): number =>
  secondsPerMember(aGroup({ maxImpactedMembers, recoveryTimeSeconds }));

it('takes each member longer by the recovery that it has to wait for', () => {
  expect(seconds(1, 90) - seconds(1, 0)).toBe(90);
});

it('takes each member half as long where two may be impacted at once', () => {
  expect(seconds(2, 60)).toBe(seconds(1, 60) / 2);
});

it('counts a group that allows nobody as one that allows one', () => {
  expect(seconds(0, 60)).toBe(seconds(1, 60));
});
