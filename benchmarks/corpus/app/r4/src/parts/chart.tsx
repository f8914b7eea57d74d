export function drawBuoy(radius: number): void {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d')!;
  context.beginPath();
  context.arc(20, 20, radius, 0, 2 * Math.PI);
  context.fill();
}

export function watchChart(chart: Element | null): void {
  const observer = new ResizeObserver(() => undefined);
  observer.observe(chart as Element, { box: 'border-box' });
}

export function Chart({ levels }: { levels: number[] }) {
  return (
    <figure>
      {levels.map((level) => (
        <b style={`height: ${level}%`} />
      ))}
    </figure>
  );
}

export function Waves({ levels }: { levels: number[] }) {
  const points = levels.map((level, index) => `${index},${level}`);
  return (
    <svg>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
