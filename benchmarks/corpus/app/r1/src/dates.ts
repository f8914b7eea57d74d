interface Leg {
  departure: string;
  arrival: string;
}

export function departureKey(leg: Leg): string {
  return new Date(leg.departure).toISOString().slice(0, 10);
}

export function arrivalKey(leg: Leg): string {
  return new Date(leg.arrival).toISOString().slice(0, 16);
}

export function formatDay(day: Date, locale: string): string {
  return day.toLocaleDateString(locale, { weekday: 'long' });
}

export function formatHour(time: Date, locale: string): string {
  return time.toLocaleTimeString(locale, { hour: '2-digit' });
}

export function formatCrossing(start: number, end: number): string {
  return new Intl.DateTimeFormat('en', { hour: 'numeric' }).formatRange(start, end);
}
