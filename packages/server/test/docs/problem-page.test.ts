import { expect, test } from 'vitest';
import { describeShared } from '../test-utils/describe-service.ts';

/** The headers of a browser that opens an address. */
const navigation = {
  token: null,
  headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
};

describeShared('the problem page', (service) => {
  test.each([
    ['/nothing/hunter2', 404, 'There is nothing at this path.'],
    ['/docs/hunter2?q=<script>hunter2', 404, 'There is nothing at this path.'],
    ['/%ZZhunter2', 400, 'The URL cannot be decoded.'],
  ])(
    'a browser that opens %s gets a page with status %i, a link back and no text of the URL',
    async (path, status, detail) => {
      const { headers, text, ...response } = await service().call('GET', path, navigation);
      expect([response.status, headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
      expect(headers.get('vary')).toContain('Accept');
      expect(text).toMatch(/^<!doctype html>/);
      expect(text).toContain(detail);
      expect(text).toContain('<a href="/">');
      expect(text).toContain(headers.get('x-request-id'));
      expect(text).not.toMatch(/hunter2|<script/);
    },
  );

  test('HEAD of an unknown page has its status and no body', async () => {
    const { status, headers, text } = await service().call('HEAD', '/nothing', navigation);
    expect([status, headers.get('content-type'), text]).toEqual([404, 'text/html; charset=utf-8', '']);
  });

  test.each(['/api', '/api/v1/nothing', '/api/v2/projects', '/api/v1/projects'])(
    '%s responds with JSON, because it belongs to the API',
    async (path) => {
      const { headers, body } = await service().call('GET', path, navigation);
      expect(headers.get('content-type')).toBe('application/json');
      expect(body.code).toBeDefined();
    },
  );

  test.each([undefined, '*/*', 'application/json'])(
    'a client that accepts %s gets JSON for any unknown path',
    async (accept) => {
      const { status, headers, body } = await service().call('GET', '/nothing', {
        token: null,
        headers: accept === undefined ? {} : { accept },
      });
      expect([status, headers.get('content-type'), body.code]).toEqual([404, 'application/json', 'not_found']);
      expect(headers.get('vary')).toContain('Accept');
    },
  );
});
