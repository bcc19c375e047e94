/** How many hosts are in each phase, as one bar: what is done is left, what is to come is right. */
import { phaseWords } from '../../rules/words/phases';
import type { HostPhase, Summary } from '../client/types';

/** From what is done to what is to come. */
const order: readonly HostPhase[] = [
  ...(['maintained', 'skipped', 'set_aside', 'failed'] as const),
  ...(['maintaining', 'releasing', 'emptying', 'waiting'] as const),
];

type Facts = Pick<Summary, 'hosts_by_phase' | 'host_count' | 'percent_done'>;

export const PhaseBar = ({
  facts: { hosts_by_phase: counts, host_count: hosts, percent_done: done },
}: {
  readonly facts: Facts;
}) => {
  const shown = order.filter((phase) => counts[phase] > 0);
  const starts = shown.map((_, at) => shown.slice(0, at).reduce((sum, phase) => sum + counts[phase], 0));
  const percent = (count: number): string => `${(count / Math.max(1, hosts)) * 100}%`;
  const words = shown.map((phase) => `${counts[phase]} ${phaseWords[phase]}`).join(', ');
  return (
    <svg
      class="phase-bar"
      role="progressbar"
      aria-label="Hosts that are done"
      aria-valuenow={done}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={`${done} %: ${words}`}
      width="100%"
      height="10"
    >
      <title>{words}</title>
      {shown.map((phase, at) => (
        <rect
          key={phase}
          class={`phase ${phase}`}
          x={percent(starts[at] ?? 0)}
          width={percent(counts[phase])}
          height="10"
        />
      ))}
    </svg>
  );
};
