import type { Note } from '../client.ts';
import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import type { Undo } from '../undo.ts';

/** Notes which element was clicked: `button#save.btn.primary`. What it says may be anybody's data. */
export function captureClick(window: Page, note: Note): Undo {
  return listen(window, 'click', ({ target }) => {
    // Read through the prototype: `<input name="id">` hides that of its form.
    const [tag, id, classes] = ['localName', 'id', 'classList'].map((key) =>
      Reflect.get(window.Element.prototype, key, target),
    );
    note('ui', 'click', { selector: [id ? `${tag}#${id}` : tag, ...classes].slice(0, 3).join('.') });
  });
}
