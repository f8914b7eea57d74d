import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import type { TestContext } from '../test-context.ts';
import { abuse, type Abuse } from './abuse-case.ts';

/** Returns a case that acts on a page and then expects the selectors, and the given texts, of its ui breadcrumbs. */
function clicking(
  html: string,
  act: (context: TestContext) => unknown,
  selectors: unknown[],
  given: Partial<Abuse> = {},
  texts?: string[],
): ReturnType<typeof abuse> {
  return abuse({
    html,
    act: async (context) => {
      await act(context);
      await context.page.run(() => ServiceSDK.captureMessage('clicked'));
    },
    reports: ['clicked'],
    ...given,
    check: ([report]) => {
      const recorded = report?.breadcrumbs?.filter(({ type }) => type === 'ui') ?? [];
      expect(recorded.map(({ data }) => data.selector)).toEqual(selectors);
      if (texts) expect(recorded.map(({ data }) => data.text)).toEqual(texts);
    },
  });
}

export const clicks: SdkPromise = {
  promise: 'Clicks are recorded as what a person clicked, in any document',
  cases: {
    'an icon in a button': clicking(
      '<button id="save" class="btn"><svg width="40" height="40"><path d="M0 0h40v40H0z"/></svg></button>',
      ({ tab }) => tab.click('#save'),
      ['button#save.btn > svg > path'],
    ),
    'an icon below many elements': clicking(
      '<a href="#x" name="go"><div><div><div><div><div><div><i style="padding: 9px">x</i></div></div></div></div></div></div></a>',
      ({ tab }) => tab.click('i'),
      [expect.stringMatching(/i$/)],
    ),
    'a button in an open shadow root': clicking(
      '<my-card></my-card>',
      async ({ page }) => {
        await page.run(() => {
          const card = document.querySelector('my-card') as HTMLElement;
          const root = card.attachShadow({ mode: 'open' });
          root.append(Object.assign(document.createElement('button'), { id: 'buy' }));
          root.querySelector('button')?.click();
        });
      },
      ['button#buy'],
    ),
    'a button in a closed shadow root': clicking(
      '<my-card id="card"></my-card>',
      async ({ page }) => {
        await page.run(() => {
          const card = document.querySelector('my-card') as HTMLElement;
          const root = card.attachShadow({ mode: 'closed' });
          root.append(document.createElement('button'));
          root.querySelector('button')?.click();
        });
      },
      ['my-card#card'],
    ),
    'a form that is submitted by the keyboard': clicking(
      '<form id="order" onsubmit="return false"><input name="street"></form>',
      async ({ page }) => {
        await page.run(() => document.querySelector('form')?.requestSubmit());
      },
      ['form#order'],
    ),
    'an element that its listener removes': clicking(
      '<div id="menu"><b onclick="document.querySelector(\'#menu\').remove()">x</b></div>',
      ({ tab }) => tab.click('b'),
      ['div#menu > b'],
    ),
    'an event that the page stops': clicking(
      '<button id="stop">x</button><script>document.querySelector("#stop").addEventListener("click", (event) => { event.stopImmediatePropagation(); event.preventDefault(); })</script>',
      ({ tab }) => tab.click('#stop'),
      ['button#stop'],
    ),
    'clicks on the window, on the document and on a text': clicking(
      '<p>text</p>',
      async ({ page }) => {
        await page.run(() => {
          const click = (): MouseEvent => new MouseEvent('click', { bubbles: true, composed: true });
          dispatchEvent(click());
          document.dispatchEvent(click());
          document.querySelector('p')?.firstChild?.dispatchEvent(click());
        });
      },
      [expect.stringMatching(/p$/)],
    ),
    'an element with 10 KB of classes and odd attributes': clicking(
      `<b id="${'i'.repeat(9_000)}" class="${'a b c '.repeat(2_000)}" name="1 2" type="<x>" style="padding: 9px">x</b>`,
      ({ tab }) => tab.click('b'),
      [expect.stringMatching(/^(.+ > )?b#i+/)],
      { reports: ['clicked'] },
    ),
    'an element whose methods throw': clicking(
      '<b style="padding: 9px">x</b>',
      async ({ page }) => {
        await page.run(() => {
          const element = document.querySelector('b') as HTMLElement;
          for (const name of ['localName', 'id', 'className', 'getAttribute', 'closest', 'textContent', 'matches']) {
            Object.defineProperty(element, name, {
              get() {
                throw new Error(`no ${name}`);
              },
            });
          }
          element.click();
        });
      },
      [expect.stringMatching(/b$/)],
    ),
    'with text, an element whose text is a secret': clicking(
      '<button id="who">ada@example.com token=abc</button>',
      ({ tab }) => tab.click('#who'),
      ['button#who'],
      { options: { breadcrumbs: { click: { text: true } } } },
      ['[scrubbed] token=[scrubbed]'],
    ),
  },
};
