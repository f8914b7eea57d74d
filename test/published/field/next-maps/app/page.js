'use client';
import { checkout } from './cart';
export default function Page() {
  return (
    <button id="pay" onClick={() => checkout({ items: [] })}>
      Pay
    </button>
  );
}
