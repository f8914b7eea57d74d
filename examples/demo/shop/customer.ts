interface Customer {
  name: string;
  address?: { city: string };
}

/** Assumes that every customer has an address. This one has no address. */
export function cityOfCustomer(): string {
  const customer: Customer = { name: 'Ada' };
  return customer.address!.city.toUpperCase();
}
