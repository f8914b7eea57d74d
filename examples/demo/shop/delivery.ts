/** Writes breadcrumbs to the console before it fails. */
export function planDelivery(): void {
  console.info('Planning the delivery', { parcels: 2 });
  console.warn('The van is full');
  throw new Error('No van is free today');
}
