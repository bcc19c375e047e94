/** How far something is. */
export const Bar = ({ percent, label }: { readonly percent: number; readonly label: string }) => (
  <svg
    class="bar"
    role="progressbar"
    aria-label={label}
    aria-valuenow={percent}
    aria-valuemin={0}
    aria-valuemax={100}
    width="100%"
    height="10"
  >
    <rect class="bar-room" width="100%" height="10" rx="5" />
    <rect class="bar-done" width={`${percent}%`} height="10" rx="5" />
  </svg>
);
