import { useEffect } from 'preact/hooks';
import { productName } from '../product-name.ts';

/** Sets the title of the tab: the parts that are not empty, and the name of the product. */
export function useTitle(...parts: (string | false | null | undefined)[]): void {
  const title = [...parts, productName].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
