import type { Histogram } from '../observability/histogram.ts';

type Labels = Readonly<Record<string, string | number>>;

/** A value of a metric; without labels it is the only one. */
export interface Sample {
  value: number;
  labels?: Labels;
}

/** A counter or a gauge as Prometheus reads it. */
export function metricText(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  return familyText(
    name,
    type,
    help,
    samples.map(({ value, labels }) => line(name, labels, value)),
  );
}

/** A histogram as Prometheus reads it: each bucket counts what the smaller ones count, too. */
export function histogramText(
  name: string,
  help: string,
  series: readonly { distribution: Histogram; labels?: Labels }[],
): string {
  const lines = series.flatMap(({ distribution: { bounds, counts, count, sum }, labels }) => {
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += counts[index] ?? 0;
      return line(`${name}_bucket`, { ...labels, le: bound }, below);
    });
    return [
      ...buckets,
      line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
      line(`${name}_sum`, labels, sum),
      line(`${name}_count`, labels, count),
    ];
  });
  return familyText(name, 'histogram', help, lines);
}

function familyText(name: string, type: string, help: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function line(name: string, labels: Labels | undefined, value: number): string {
  const pairs = Object.entries(labels ?? {}).map(([label, text]) => `${label}="${escaped(String(text))}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

function escaped(text: string): string {
  return text.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
