import { checkout } from './cart.ts';

export default function App() {
  return (
    <button id="pay" onClick={() => checkout({ items: [] })}>
      Pay {checkout({ items: [1] })}
    </button>
  );
}
