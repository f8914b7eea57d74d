import { recordBreadcrumb } from '../breadcrumbs.ts';
import { guard, type Client } from '../client.ts';
import { listen } from '../listen.ts';
import { truncate } from '../normalize.ts';
import type { BrowserGlobal } from '../page-state.ts';
import type { Teardown } from '../patch-method.ts';

const maxElements = 5;
const selectorPrefixes = { id: '#', class: '.', name: ':name=', type: ':type=' };

/**
 * Records the selector of each clicked element, and of each submitted form: `button#save.btn > svg`. The element's text
 * may be personal data, so it is recorded only with `click: { text: true }`.
 */
export function instrumentClick(client: Client, window: BrowserGlobal): Teardown[] {
  const switches = client.settings.breadcrumbs?.click ?? true;
  if (!switches) return [];
  const hasText = switches !== true && switches.text;
  return (['click', 'submit'] as const).map((category) =>
    listen(window, category, (event) =>
      guard(client, () => {
        const elements = event.composedPath().filter((target): target is Element => isElement(window, target));
        const [target] = elements;
        if (!target) return;
        const text = hasText ? truncate(target.textContent ?? '', 64) : undefined;
        recordBreadcrumb(client, 'ui', category, { selector: selectorOf(elements, window), text });
      }),
    ),
  );
}

function isElement({ Element }: BrowserGlobal, target: EventTarget): boolean {
  return Element.prototype.isPrototypeOf(target);
}

/** Returns the selector from the nearest element with a name, at most four levels up, down to the target. */
function selectorOf(path: Element[], { Element: { prototype } }: BrowserGlobal): string {
  const selectors: string[] = [];
  for (const element of path.slice(0, maxElements)) {
    // Attributes are read through the prototype: `<input name="id">` shadows the `id` of its form.
    const attribute = (name: string): string | null => prototype.getAttribute.call(element, name);
    let selector = String(Reflect.get(prototype, 'localName', element));
    for (const [name, prefix] of Object.entries(selectorPrefixes)) {
      const value = attribute(name);
      if (value) selector += prefix + value.split(' ', 2).join('.');
    }
    selectors.unshift(selector);
    if (attribute('id') || attribute('name') || /^(a|button|form|input|label|select|summary|textarea)\b/.test(selector))
      break;
  }
  return selectors.join(' > ');
}
