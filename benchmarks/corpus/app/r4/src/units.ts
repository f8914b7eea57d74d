export function formatSpeed(knots: number, unit: string): string {
  const options = { style: 'unit', unit } as const;
  const format = new Intl.NumberFormat('de', options);
  return format.format(knots);
}

export function formatDistance(miles: number, unit: string): string {
  const rounded = Math.round(miles);
  return new Intl.NumberFormat('de', { style: 'unit', unit }).format(rounded);
}

export function dashes(count: number): string {
  const dash = '-';
  return `|${dash.repeat(count)}|`;
}
