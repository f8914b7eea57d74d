interface SparklineProps {
  counts: readonly number[];
  label: string;
  wide?: boolean;
}

const height = 20;
const step = 4;

/** Counts over time as a row of bars, without axes: how it goes, not how much. */
export function Sparkline({ counts, label, wide }: SparklineProps) {
  const most = Math.max(1, ...counts);
  // What happened once shows beside what happened a thousand times, and time goes on where nothing did.
  const bars = counts.map((count, index) => {
    const tall = (count && Math.max(3, (count / most) * height)) || 0.5;
    return `M${index * step + 1.5} ${height}v-${tall}`;
  });
  return (
    <svg
      class={wide ? 'spark wide' : 'spark'}
      viewBox={`0 0 ${counts.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={bars.join('')} />
    </svg>
  );
}

/** How much of a whole, from 0 to 1, as the length of a bar. */
export function Bar({ share, class: name = '' }: { share: number; class?: string }) {
  return (
    <svg class={`bar ${name}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 0h${share * 100}v1H0`} />
    </svg>
  );
}
