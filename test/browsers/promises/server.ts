import { expect } from 'vitest';
import type { Scene } from '../scene.ts';
import type { Promised } from './promised.ts';

export const realServer: Promised = {
  promise: 'The real server takes the reports of an origin on its allow-list, and of no other',
  cases: {
    'one that is on it, and one that is not': async (scene) => {
      const { site, elsewhere, add, tab, page } = scene;
      const server = await scene.server();
      const { body: project } = await server.call('POST', 'projects', { name: 'A page' });
      await server.call('PUT', 'origins', { origins: [site.origin] });
      const source = {
        options: { apiKey: String(project.api_key), endpoint: server.url },
        script: function checkout() {
          throw new TypeError(`no cart at ${location.origin}`);
        },
      };

      await tab.goto(add(source, elsewhere));
      await expect.poll(() => page.warnings()).toEqual([expect.stringMatching(/allow-list/)]);
      expect(await groups(scene)).toEqual([]);

      await tab.goto(add(source));
      await expect.poll(() => groups(scene)).toHaveLength(1);
      await page.flush();
      expect(await page.warnings()).toEqual([]);
      const [group] = await groups(scene);
      expect(group).toMatchObject({ type: 'TypeError', message: `no cart at ${site.origin}`, count: 1 });
    },
  },
};

/** The groups of this site, and of the other. */
async function groups({ server, site, elsewhere }: Scene): Promise<{ message: string }[]> {
  const { body } = await (await server()).call('GET', 'errors');
  const { items } = body as { items: { message: string }[] };
  return items.filter(({ message }) => message.endsWith(site.origin) || message.endsWith(elsewhere.origin));
}
