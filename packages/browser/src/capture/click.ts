import { cut } from '../copy.ts';
import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import type { Note } from '../trail.ts';
import type { Undo } from '../undo.ts';

const parts = { id: '#', class: '.', name: ':name=', type: ':type=' };

/** Notes which element was clicked: `button#save.btn.primary`. What it says may be anybody's data: only if `text`. */
export function captureClick(window: Page, note: Note, { text }: { text?: boolean | undefined }): Undo {
  return listen(window, 'click', ({ target }) => {
    const { prototype } = window.Element;
    if (!prototype.isPrototypeOf(target as Element)) return;
    // Read through the prototype: `<input name="id">` hides that of its form.
    let selector = Reflect.get(prototype, 'localName', target) as string;
    for (const name in parts) {
      const value = prototype.getAttribute.call(target, name);
      if (value) selector += parts[name as 'id'] + value.split(' ', 2).join('.');
    }
    note('ui', 'click', { selector, text: text && cut((target as Element).textContent, 64) });
  });
}
