import type { RecordBreadcrumb } from '../breadcrumbs.ts';
import type { GlobalWindow } from '../global-state.ts';
import { listen } from '../listen.ts';
import { truncate } from '../normalize.ts';
import type { Teardown } from '../teardown.ts';

const selectorPrefixes = { id: '#', class: '.', name: ':name=', type: ':type=' };

/**
 * Records the selector of each clicked element: `button#save.btn.primary`. The element's text may be personal data, so
 * it is recorded only with `text`.
 */
export function instrumentClick(
  window: GlobalWindow,
  record: RecordBreadcrumb,
  { text }: { text?: boolean | undefined },
): Teardown {
  return listen(window, 'click', ({ target }) => {
    const { prototype } = window.Element;
    if (!prototype.isPrototypeOf(target as Element)) return;
    // Attributes are read through the prototype: `<input name="id">` shadows the `id` of its form.
    let selector = Reflect.get(prototype, 'localName', target) as string;
    for (const name in selectorPrefixes) {
      const value = prototype.getAttribute.call(target, name);
      if (value) selector += selectorPrefixes[name as 'id'] + value.split(' ', 2).join('.');
    }
    record('ui', 'click', { selector, text: text && truncate((target as Element).textContent, 64) });
  });
}
