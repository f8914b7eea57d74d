import { expect } from 'vitest';
import type { Answer } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import type { Scene } from '../scene.ts';

const put = (scene: Scene, origins: unknown, token?: string): Promise<Answer> =>
  scene.call('PUT', 'origins', { body: { origins }, ...(token ? { token } : {}) });

const statusFrom = async (scene: Scene, origin: string): Promise<number> =>
  (await scene.report({}, { headers: { origin } })).status;

/** The allow-list at run time. */
export const origins: Chapter = {
  name: 'origins',
  tests: [
    {
      title: 'a list that is put counts at once, beside that of the settings',
      proves: ['cors.origins.read', 'cors.origins.write', 'cors.origins.both'],
      settings: { corsOrigins: ['https://settings.example'] },
      isAlone: true,
      async run(scene) {
        expect(await scene.get(200, 'GET', 'origins')).toEqual({
          origins: [],
          from_settings: ['https://settings.example'],
        });
        expect(await statusFrom(scene, 'https://shop.example')).toBe(403);
        const listed = {
          origins: ['https://shop.example', 'https://*.shop.example'],
          from_settings: ['https://settings.example'],
        };
        const answer = await put(scene, listed.origins);
        expect([answer.status, answer.body]).toEqual([200, listed]);
        expect(await scene.get(200, 'GET', 'origins')).toEqual(listed);
        for (const [origin, status] of [
          ['https://shop.example', 200],
          ['https://www.shop.example', 200],
          ['https://settings.example', 200],
          ['https://evil.example', 403],
          ['null', 403],
        ] as const)
          expect([origin, await statusFrom(scene, origin)]).toEqual([origin, status]);
        expect((await put(scene, [])).body).toEqual({ ...listed, origins: [] });
        expect(await statusFrom(scene, 'https://shop.example')).toBe(403);
      },
    },
    {
      title: 'with an entry that was put loopback is no longer allowed by itself',
      proves: ['cors.loopback_ends', 'cors.origins.both'],
      isAlone: true,
      async run(scene) {
        expect(await statusFrom(scene, 'http://localhost:3000')).toBe(200);
        await put(scene, ['https://shop.example']);
        expect(await statusFrom(scene, 'http://localhost:3000')).toBe(403);
        await put(scene, []);
        expect(await statusFrom(scene, 'http://localhost:3000')).toBe(200);
      },
    },
    {
      title: 'the list outlives a restart',
      proves: ['cors.origins.kept'],
      isAlone: true,
      places: ['file', 'program'],
      async run(scene) {
        await put(scene, ['https://shop.example']);
        await scene.restart();
        expect(await statusFrom(scene, 'https://shop.example')).toBe(200);
        expect((await scene.get(200, 'GET', 'origins')).origins).toEqual(['https://shop.example']);
      },
    },
    {
      title: "only owners of the operator's team may see and change it",
      proves: ['cors.origins.owners', 'problem.forbidden'],
      async run(scene) {
        for (const who of ['member', 'viewer', 'stranger']) {
          const token = await scene.know(who);
          expect([who, await scene.codeOf('GET', 'origins', { token })]).toEqual([who, 'forbidden']);
          expect([who, (await put(scene, ['https://shop.example'], token)).body.code]).toEqual([who, 'forbidden']);
        }
        expect(await scene.codeOf('GET', 'origins', { token: null })).toBe('missing_token');
        expect((await scene.get(200, 'GET', 'origins')).origins).toEqual([]);
      },
    },
    {
      title: 'what is no origin is refused, and changes nothing',
      proves: ['cors.origins.entries', 'cors.null', 'conv.unknown.fields'],
      async run(scene) {
        for (const entry of [
          'null',
          'shop.example',
          'https://shop.example/path',
          'https://*evil.example',
          'https://a.*.example',
          '',
          'javascript:1',
          5,
          null,
        ])
          expect([entry, (await put(scene, [entry])).body.code]).toEqual([entry, 'validation_failed']);
        for (const list of ['https://shop.example', null, {}])
          expect((await put(scene, list)).body.code).toBe('validation_failed');
        const body = { origins: [], from_settings: [] };
        expect(await scene.codeOf('PUT', 'origins', { body })).toBe('validation_failed');
        expect((await scene.get(200, 'GET', 'origins')).origins).toEqual([]);
      },
    },
  ],
};
