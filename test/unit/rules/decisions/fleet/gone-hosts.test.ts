import type { HostPhase } from '../../../../../rules/decisions/fleet/fleet';
import { sortByWhatIsListed } from '../../../../../rules/decisions/fleet/gone-hosts';

it.each<{ phase: HostPhase; isListed?: true; as: 'gone' | 'away' | 'others' }>([
  { phase: 'waiting', as: 'gone' },
  { phase: 'emptying', as: 'gone' },
  { phase: 'failed', as: 'gone' },
  { phase: 'maintaining', as: 'away' },
  { phase: 'releasing', as: 'away' },
  { phase: 'maintained', as: 'others' },
  { phase: 'set_aside', as: 'others' },
  { phase: 'waiting', isListed: true, as: 'others' },
])('a host that is $phase, listed: $isListed, is one of the $as', ({ phase, isListed = false, as }) => {
  const host = { name: 'node-1', work: { phase }, isListed };
  const nobody = { gone: [], away: [], others: [] };
  expect(sortByWhatIsListed([host])).toEqual({ ...nobody, [as]: as === 'others' ? [host] : ['node-1'] });
});
