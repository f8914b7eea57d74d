import { Buttons } from '../buttons.jsx';

// Without a boundary: Next.js shows error.jsx.
export default function Page() {
  return <Buttons />;
}
