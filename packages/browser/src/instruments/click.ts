import { recordBreadcrumb } from '../breadcrumbs.ts';
import type { Client } from '../client.ts';
import { listen } from '../listen.ts';
import { truncate } from '../normalize.ts';

const maxElements = 5;
/** Matches the selector of an element that a reader can find in the page. */
const namedSelector = /#|:name=|^(a|button|form|input|label|select|summary|textarea)\b/;

/**
 * Records the selector of each clicked element, and of each submitted form: `button#save.btn > svg`. The element's text
 * may be personal data, so it is recorded only with `click: { text: true }`.
 */
export function instrumentClick(client: Client): void {
  const { Element } = client.window;
  const switches = client.settings.breadcrumbs?.click;
  const hasText = typeof switches === 'object' && switches.text;

  function record(event: Event): void {
    const path = event.composedPath();
    const selectors: string[] = [];
    for (const target of path.slice(0, maxElements)) {
      // The path also contains shadow roots and the document.
      if (!(target instanceof Element)) continue;
      const selector = selectorOf(target, Element.prototype);
      selectors.unshift(selector);
      if (namedSelector.test(selector)) break;
    }
    if (selectors.length === 0) return;
    const text = hasText ? truncate(String(Object(path[0]).textContent), 64) : undefined;
    recordBreadcrumb(client, 'ui', event.type, { selector: selectors.join(' > '), text });
  }

  listen(client, 'click', record);
  listen(client, 'submit', record);
}

/** Returns the selector of an element. Reads it through the prototype: `<input name="id">` shadows the id of its form. */
function selectorOf(element: Element, prototype: Element): string {
  const attribute = (name: string, prefix: string): string => {
    const value = prototype.getAttribute.call(element, name);
    return value ? prefix + value.split(' ', 2).join('.') : '';
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
