import { expect, test } from 'vitest';
import { describeInMemory } from '../test-utils/service.ts';

describeInMemory('pages', (start) => {
  test('a page that says whether its reader is signed in is kept by no shared cache', async () => {
    const { service } = await start();
    for (const path of ['/', '/team', '/sign-in']) {
      const { headers } = await service.fetch(new Request(`http://127.0.0.1:4400${path}`));
      expect([path, headers.get('cache-control'), headers.get('vary')]).toEqual([
        path,
        'private, no-cache',
        expect.stringMatching(/\bCookie\b/),
      ]);
    }
  });
});
