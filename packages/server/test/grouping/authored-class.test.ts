import type { ErrorGroup, Page } from '@service/protocol';
import { SourceMapGenerator } from 'source-map';
import { afterEach, expect, test } from 'vitest';
import { openMapService, type MapService } from '../symbolication/map-service.ts';

let service: MapService;
afterEach(() => service.close());

function mapOf(source: string, code: string): object {
  const generator = new SourceMapGenerator({ file: 'lending.js' });
  generator.addMapping({ generated: { line: 1, column: 0 }, original: { line: 1, column: 18 }, source });
  generator.setSourceContent(source, code);
  return generator.toJSON();
}

test('a group shows the class name in the source, not the minified one', async () => {
  service = await openMapService();
  const [project] = service.projects;
  const map = mapOf('src/lending.ts', 'function lend() { throw new MissingCopyError(id); }');
  await service.upload(project, map, { file: 'lending.js' });
  const stack = 'a@https://library.example/lending.js:1:1';
  for (const type of ['Sl', 'wl', 'DueError'])
    await service.report(project, { type, message: 'Copy 4711', stacktrace: stack });
  const { body } = await service.call<Page<ErrorGroup>>('GET', `errors?project_id=${project.id}`);
  expect(body.items.map(({ type, count }) => [type, count]).toSorted()).toEqual([
    ['DueError', 1],
    ['MissingCopyError', 2],
  ]);
});
