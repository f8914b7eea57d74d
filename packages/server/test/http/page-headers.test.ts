import { expect, test } from 'vitest';
import { describeInMemory } from '../test-utils/describe-service.ts';

describeInMemory('pages', (start) => {
  test('a page that depends on the sign-in is not stored by shared caches', async () => {
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
