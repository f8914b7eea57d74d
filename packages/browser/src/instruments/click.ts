import { recordBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { guard } from '../guard.ts';
import { listen } from '../listen.ts';
import { truncate } from '../normalize.ts';

const maxElements = 5;
/** Matches a selector by which a reader can find the element in the page. */
const namedSelector = /#|:name=|^(a|button|form|input|label|select|summary|textarea)\b/;

/**
 * Records the selector of each clicked element, and of each submitted form: `button#save.btn > svg`. The element's text
 * may be personal data, so it is recorded only with `click: { text: true }`.
 */
export function instrumentClick(client: Client): void {
  const { text: hasText }: { text?: boolean | null } = Object(client.settings.breadcrumbs?.click);

  function record(event: Event): void {
    guard(client, () => {
      // Read only when a click happens: the interface takes 30 KB of memory.
      const { Element } = client.window;
      const selectors: string[] = [];
      const elements = event.composedPath().filter((target) => target instanceof Element);
      for (const element of elements.slice(0, maxElements)) {
        const selector = selectorOf(element, Element.prototype);
        selectors.unshift(selector);
        if (namedSelector.test(selector)) break;
      }
      const [target] = elements;
      if (!target) return;
      const text = hasText ? truncate(target.textContent ?? '', 64) : undefined;
      recordBreadcrumb(client, 'ui', event.type, { selector: selectors.join(' > '), text });
    });
  }

  listen(client, 'click', record);
  listen(client, 'submit', record);
}

/**
 * Returns the selector of an element. Reads it through the prototype: `<input name="id">` shadows the id of its form.
 */
function selectorOf(element: Element, prototype: Element): string {
  const attribute = (name: string, prefix: string): string => {
    const value = prototype.getAttribute.call(element, name);
    return value ? prefix + value.trim().split(/\s+/, 2).join('.') : '';
  };
  const localName: unknown = Reflect.get(prototype, 'localName', element);
  return (
    localName +
    attribute('id', '#') +
    attribute('class', '.') +
    attribute('name', ':name=') +
    attribute('type', ':type=')
  );
}
