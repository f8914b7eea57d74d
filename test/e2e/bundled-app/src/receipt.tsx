import type { Basket } from './basket.ts';

interface Customer {
  name: string;
  address?: { city: string };
}

export function Receipt({ basket, customer }: { basket: Basket; customer: Customer }) {
  return (
    <section>
      <h2>{customer.name}</h2>
      <p>
        {basket.lines.length} articles go to {customer.address!.city.toUpperCase()}
      </p>
    </section>
  );
}
