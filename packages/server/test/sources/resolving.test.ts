import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMapService, type MapService } from './map-service.ts';

const cart = {
  version: 3,
  sources: ['src/cart.ts'],
  sourcesContent: ['function add() { fail(); }'],
  names: [],
  mappings: 'AAAiB',
};
const file = 'app-3f2a9c1b.js';
const stacktrace = `Error: It broke\n    at a (https://shop.example/${file}:1:1)`;

let service: MapService;
beforeEach(async () => void (service = await openMapService()));
afterEach(() => service.close());

/** How often a place of a map was asked for. */
function lookUps(): number {
  const { hits, misses } = service.services.maps.usage();
  return hits + misses;
}

test('what is known of the stacks of a project stays known while others upload and delete maps', async () => {
  const { projects, upload, report, call } = service;
  const [shop, blog] = projects;
  await upload(shop, cart, { file });
  await report(shop, { stacktrace });
  // The first report notes that the map was used.
  await expect.poll(() => service.services.store.model.mapsOf(shop.id)[0]?.last_used_at).toBeTruthy();
  await report(shop, { stacktrace });
  const asked = lookUps();
  await upload(blog, cart, { file });
  await upload(blog, cart, { file: 'other.js' });
  await call('DELETE', `projects/${blog.id}/source-maps/2`);
  expect((await report(shop, { stacktrace })).status).toBe(200);
  expect(lookUps()).toBe(asked);
  await upload(shop, cart, { file });
  await report(shop, { stacktrace });
  expect(lookUps()).toBe(asked + 1);
});
