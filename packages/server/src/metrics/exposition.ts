import type { Histogram } from '../observability/histogram.ts';

type Labels = Readonly<Record<string, string | number>>;

/** One value of a metric. Labels distinguish it from the other values. */
export interface Sample {
  value: number;
  labels?: Labels;
}

/** Formats a counter or a gauge for Prometheus. */
export function metricText(name: string, type: 'counter' | 'gauge', help: string, samples: readonly Sample[]): string {
  return familyText(
    name,
    type,
    help,
    samples.map(({ value, labels }) => line(name, labels, value)),
  );
}

/** Formats a histogram for Prometheus. Each bucket includes the counts of the smaller ones. */
export function histogramText(
  name: string,
  help: string,
  series: readonly { distribution: Histogram; labels?: Labels }[],
): string {
  const lines = series.flatMap(({ distribution: { bounds, counts, count, sum }, labels }) => {
    let cumulated = 0;
    const buckets = bounds.map((bound, index) => {
      cumulated += counts[index] ?? 0;
      return line(`${name}_bucket`, { ...labels, le: bound }, cumulated);
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
  const pairs = Object.entries(labels ?? {}).map(([label, text]) => `${label}="${escapeLabel(String(text))}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

function escapeLabel(text: string): string {
  return text.replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
