import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type ServerProcess } from './test-utils/server-process.ts';

const folder = new URL('generated-client/', import.meta.url);
const types = new URL('api.gen.ts', folder);
const story = fileURLToPath(new URL('story.ts', folder));

/** The module is imported dynamically, because its generated types exist only while the test runs. */
interface Story {
  walkThrough(baseUrl: string, email: string, password: string): Promise<unknown>;
}

/** Returns the compiler errors of the story, with the strictness of the workspace. */
function compilerErrors(): string[] {
  const { config } = ts.readConfigFile(
    fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    ts.sys.readFile,
  ) as {
    config: object;
  };
  const root = fileURLToPath(new URL('../', import.meta.url));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.getPreEmitDiagnostics(ts.createProgram([story], options)).map(({ messageText, file, start }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.slice(root.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

describe('a client generated from the OpenAPI document', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer('memory:');
    const description = await fetch(`${server.url}/api/v1/openapi.json`);
    await writeFile(types, astToString(await openapiTS(await description.text(), { defaultNonNullable: false })));
  });

  afterAll(async () => {
    await server.kill();
    await rm(types, { force: true });
  });

  test('the generated client has the types that the story of the specification needs', () => {
    expect(compilerErrors()).toEqual([]);
  });

  test('the generated client runs the story of the specification', async () => {
    const { walkThrough } = (await import(story)) as Story;
    const result = await walkThrough(server.url, 'admin@localhost', 'correct horse battery');
    expect(result).toEqual({
      steps: [
        'signed in as owner',
        'created Shop',
        'reported a new error',
        'listed total is undefined × 1',
        'read TypeError of production',
        'resolved',
        'active',
        'uploaded the map of app.js',
        'deleted with 204',
      ],
      reopenCount: 1,
      resolvedFile: 'src/cart.ts',
      rejections: ['invalid_api_key', 'group_not_found', 'validation_failed'],
    });
  });
});
