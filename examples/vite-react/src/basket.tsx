import { useState } from 'react';

interface Item {
  name: string;
  price?: { amount: number };
}

export function Basket() {
  const [items, setItems] = useState<Item[]>([{ name: 'Sencha', price: { amount: 12.9 } }]);
  return (
    <section>
      <ul>
        {items.map((item) => (
          <Line key={item.name} item={item} />
        ))}
      </ul>
      <button id="gift" type="button" onClick={() => setItems([...items, { name: 'Gift card' }])}>
        Add a gift card: a component throws inside a boundary
      </button>
    </section>
  );
}

function Line({ item }: { item: Item }) {
  // The bug: a gift card has no price.
  const amount = item.price!.amount;
  return (
    <li>
      {item.name}, {amount.toFixed(2)} €
    </li>
  );
}
