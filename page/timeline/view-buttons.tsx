/** What changes the view of a timeline without a wheel. */
import type { Move } from './view';

const buttons: readonly (readonly [label: string, sign: string, move: Move])[] = [
  ['Zoom out', '−', { kind: 'zoom', factor: 1 / 1.6 }],
  ['Zoom in', '+', { kind: 'zoom', factor: 1.6 }],
];

const whole: Move = { kind: 'zoom', factor: 0 };

export interface ViewButtonsProps {
  readonly isWhole: boolean;
  readonly onMove: (move: Move) => void;
}

export const ViewButtons = ({ isWhole, onMove }: ViewButtonsProps) => (
  <div class="view-buttons" role="group" aria-label="Zoom">
    {buttons.map(([label, sign, move]) => (
      <button
        key={label}
        class="button small"
        aria-label={label}
        title={`${label}: also ${sign}, or Ctrl and the wheel`}
        onClick={() => onMove(move)}
      >
        {sign}
      </button>
    ))}
    <button class="button small" disabled={isWhole} title="Show all: also 0" onClick={() => onMove(whole)}>
      Fit
    </button>
  </div>
);
