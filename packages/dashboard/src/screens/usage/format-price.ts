/** Formats an amount in the minor unit of a currency. */
export function formatPrice({ amount, currency }: { amount: number; currency: string }): string {
  const format = new Intl.NumberFormat([], { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
