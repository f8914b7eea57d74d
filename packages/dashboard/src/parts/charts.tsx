/** Counts over time as a line of bars, without axes: how it goes, not how much. */
export function Sparkline({
  counts,
  label,
  wide = false,
}: {
  counts: readonly number[];
  label: string;
  wide?: boolean;
}) {
  const most = Math.max(1, ...counts);
  const height = wide ? 48 : 20;
  const step = wide ? 10 : 4;
  return (
    <svg
      class={wide ? 'spark wide' : 'spark'}
      viewBox={`0 0 ${counts.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {counts.map((count, index) => {
        // What happened once shows beside what happened a thousand times.
        const tall = count === 0 ? 1 : Math.max(3, (count / most) * height);
        return (
          <rect
            key={index}
            class={count === 0 ? 'none' : ''}
            x={index * step}
            y={height - tall}
            width={step - (wide ? 2 : 1)}
            height={tall}
          />
        );
      })}
    </svg>
  );
}

/** How much of a whole, from 0 to 1, as the length of a bar. */
export function Bar({ share, class: name = '' }: { share: number; class?: string }) {
  return (
    <svg class={`bar ${name}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(share > 0 ? 1 : 0, share * 100)} height="1" />
    </svg>
  );
}
