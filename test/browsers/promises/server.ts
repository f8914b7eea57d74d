import { expect } from 'vitest';
import type { TestContext } from '../test-context.ts';
import type { SdkPromise } from '../sdk-promise.ts';

export const realServer: SdkPromise = {
  promise: 'The server accepts reports only from origins on its allow-list',
  cases: {
    'a listed origin and an unlisted one': async (context) => {
      const { site, otherSite, add, tab, page } = context;
      const server = await context.server();
      const { body: project } = await server.call('POST', 'projects', { name: 'A page' });
      await server.call('PUT', 'origins', { origins: [site.origin] });
      const source = {
        options: { apiKey: String(project.api_key), endpoint: server.url },
        script: function checkout() {
          throw new TypeError(`no cart at ${location.origin}`);
        },
      };

      await tab.goto(add(source, otherSite));
      await expect.poll(() => page.warnings()).toEqual([expect.stringMatching(/allow-list/)]);
      expect(await groups(context)).toEqual([]);

      await tab.goto(add(source));
      await expect.poll(() => groups(context)).toHaveLength(1);
      await page.flush();
      expect(await page.warnings()).toEqual([]);
      const [group] = await groups(context);
      expect(group).toMatchObject({ type: 'TypeError', message: `no cart at ${site.origin}`, count: 1 });
    },
  },
};

/** Returns the groups of both sites. */
async function groups({ server, site, otherSite }: TestContext): Promise<{ message: string }[]> {
  const { body } = await (await server()).call('GET', 'errors');
  const { items } = body as { items: { message: string }[] };
  return items.filter(({ message }) => message.endsWith(site.origin) || message.endsWith(otherSite.origin));
}
