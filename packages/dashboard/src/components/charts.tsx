interface SparklineProps {
  counts: readonly number[];
  label: string;
  wide?: boolean;
}

const height = 20;
const step = 4;
const minBarHeight = 3;

/** Counts over time as bars without axes. It shows the trend, not the numbers. */
export function Sparkline({ counts, label, wide }: SparklineProps) {
  const max = Math.max(1, ...counts);
  // A single report stays visible next to a thousand, and a count of 0 is a thin line.
  const bars = counts.map((count, index) => {
    const barHeight = (count && Math.max(minBarHeight, (count / max) * height)) || 0.5;
    return `M${index * step + 1.5} ${height}v-${barHeight}`;
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

/** A share of a whole, from 0 to 1, as the length of a bar. */
export function Bar({ share, class: name = '' }: { share: number; class?: string }) {
  return (
    <svg class={`bar ${name}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 0h${share * 100}v1H0`} />
    </svg>
  );
}
