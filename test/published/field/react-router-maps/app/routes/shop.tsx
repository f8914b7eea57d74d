import { checkout } from '../cart';

export const loader = () => ({ total: checkout({ items: [1] }) });

export default function Shop({ loaderData }: { loaderData: { total: number } }) {
  return (
    <button id="pay" onClick={() => checkout({ items: [] })}>
      Pay {loaderData.total}
    </button>
  );
}
