/** Shows that a plan tells of hosts that the cloud no longer lists, and whether their session fails with them. */
import { hostsNotListed } from '../../../api/services/hosts-not-listed';
import type { HostPhase } from '../../../rules/decisions/fleet/fleet';

const id = '11111111-1111-4111-8111-111111111111';
const aRow = (hostname: string, phase: HostPhase = 'waiting', failure: string | null = null) => ({
  ...{ sessionId: id, hostname, phase, failure },
});
const running = { id, state: 'PLANNED_MAINTENANCE', maxFailedHosts: null };
const cloudHosts = [{ name: 'there' }];

it.each([
  { situation: 'all are listed', hosts: [aRow('there')], told: [] },
  { situation: 'one that waits is gone', hosts: [aRow('there'), aRow('gone')], told: ['gone stops'] },
  { situation: 'one may fail', hosts: [aRow('gone')], session: { maxFailedHosts: 1 }, told: ['gone delays'] },
  {
    situation: 'one may fail, and another has',
    hosts: [aRow('gone'), aRow('there', 'set_aside', 'fan')],
    session: { maxFailedHosts: 1 },
    told: ['gone stops'],
  },
  { situation: 'hosts leave that cloud', hosts: [aRow('gone')], hostsLeave: true as const, told: ['gone note'] },
  { situation: 'it is drained', hosts: [aRow('gone', 'emptying')], told: ['gone stops'] },
  { situation: 'it is done', hosts: [aRow('gone', 'maintained')], told: [] },
  { situation: 'it is another session’s', hosts: [{ ...aRow('gone'), sessionId: 'another' }], told: [] },
  {
    situation: 'the session has failed with another host, which it takes up again',
    hosts: [aRow('gone'), aRow('there', 'failed', 'fan')],
    session: { state: 'MAINTENANCE_FAILED', maxFailedHosts: 1 },
    told: ['gone delays'],
  },
])('tells $told where $situation', ({ hosts, session = {}, hostsLeave, told }) => {
  const blockers = hostsNotListed({ ...running, ...session }, { hosts, cloudHosts, hostsLeave });
  expect(blockers.map(({ subject, severity }) => `${subject.name} ${severity}`)).toEqual(told);
  expect(blockers.every(({ kind, owner }) => kind === 'host_not_listed' && owner === 'operator')).toBe(true);
});
