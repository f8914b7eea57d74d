interface Customer {
  name: string;
  address?: { city: string };
}

/** Trusts that every customer has an address. This one has none. */
export function cityOfCustomer(): string {
  const customer: Customer = { name: 'Ada' };
  return customer.address!.city.toUpperCase();
}
