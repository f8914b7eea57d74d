import { ErrorBoundary } from '@service/browser/react';
import { Buttons } from './buttons.jsx';

// A server component, which renders the boundary and passes its children.
export default function Page() {
  return (
    <ErrorBoundary fallback={<p>Sorry</p>}>
      <Buttons />
    </ErrorBoundary>
  );
}
