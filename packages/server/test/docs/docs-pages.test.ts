import { problems } from '@service/protocol';
import { operations } from '@service/protocol/operations';
import { expect, test } from 'vitest';
import { html } from '../../src/html/html.ts';
import { renderInline } from '../../src/html/markdown.ts';
import { describeShared } from '../test-utils/describe-service.ts';

const pages = ['/docs/api', '/docs/problems', '/packages'];

function idsOf(text: string): string[] {
  return Array.from(text.matchAll(/ id="([^"]*)"/g), ([, id = '']) => id);
}

describeShared('documentation pages', (service) => {
  test.each(pages)('%s needs no token, has no scripts and loads nothing from other origins', async (path) => {
    const { status, headers, text } = await service().call('GET', path, { token: null });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/<script|<style|style="|\son\w+=/i);
    const loaded = Array.from(text.matchAll(/<(?:link|img)[^>]*(?:href|src)="([^"]*)"/g), ([, url]) => url);
    expect(loaded).toEqual(['/icon.svg', '/tokens.css', '/docs.css']);
  });

  test('the documentation serves its stylesheet and icon', async () => {
    const { call } = service();
    const style = await call('GET', '/docs.css', { token: null });
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect((await call('GET', '/icon.svg', { token: null })).status).toBe(200);
  });

  test('the type of an error response links to an existing section, and every error code has one', async () => {
    const { call } = service();
    const { body } = await call('GET', 'projects', { token: null });
    const [path = '', anchor = ''] = (body.type ?? '').split('#');
    expect(path).toBe('/docs/problems');
    const ids = idsOf((await call('GET', path, { token: null })).text);
    expect(ids).toEqual(expect.arrayContaining([anchor, ...Object.keys(problems)]));
  });

  test('the API reference has a section with a curl example for every operation', async () => {
    const { text } = await service().call('GET', '/docs/api', { token: null });
    expect(idsOf(text)).toEqual(expect.arrayContaining(operations.map(({ id }) => id)));
    expect(text.match(/<code>curl /g)?.length).toBe(operations.length);
  });

  test('the documentation has no dead links and no duplicate ids', async () => {
    const { call } = service();
    const ids = new Map<string, string[]>();
    const links: string[] = [];
    for (const path of pages) {
      const { text } = await call('GET', path, { token: null });
      ids.set(path, idsOf(text));
      const found = Array.from(text.matchAll(/ href="([^"]*)"/g), ([, url = '']) => url);
      links.push(...found.map((url) => (url.startsWith('#') ? path + url : url)));
    }
    for (const found of ids.values()) expect(new Set(found).size).toBe(found.length);
    const targets = new Set(['/', '/icon.svg', '/tokens.css', '/docs.css', '/api/v1/openapi.json', ...pages]);
    for (const [path, found] of ids) for (const id of found) targets.add(`${path}#${id}`);
    const files = links.filter((link) => link.startsWith('/packages/'));
    for (const file of files) if ((await call('HEAD', file, { token: null })).status === 200) targets.add(file);
    const dead = links.filter((link) => !targets.has(link));
    expect(dead).toEqual([]);
  });
});

test('html`…` escapes interpolated text but not nested Html', () => {
  expect(html`<a title="${'"><script>'}">${['<b>', html`<i>${'&'}</i>`]}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;">&lt;b&gt;<i>&amp;</i></a>',
  );
  expect(renderInline('a `<b>` c').text).toBe('a <code>&lt;b&gt;</code> c');
});
