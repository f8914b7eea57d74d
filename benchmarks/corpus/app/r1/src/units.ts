export function formatSpeed(knots: number, unit: string): string {
  return new Intl.NumberFormat('de', { style: 'unit', unit }).format(knots);
}

export function formatDistance(miles: number, unit: string): string {
  const rounded = Math.round(miles);
  return new Intl.NumberFormat('de', { style: 'unit', unit }).format(rounded);
}

export function dashes(count: number): string {
  return '-'.repeat(count);
}
