const formatter = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/** Returns the delivery day: two days after the order. */
export function deliveryDay(orderedAt: string): string {
  const day = new Date(orderedAt);
  day.setDate(day.getDate() + 2);
  return formatter.format(day);
}
