import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeShared } from '../test-utils/describe-service.ts';

const unknownKey = 'pk_00000000000000000000000000000000';
/** More than the bytes that are always parsed. */
const filler = 'x'.repeat(20_000);
const gzipped = { 'content-encoding': 'gzip' };

describeShared('a large body', (service) => {
  const send = (body: string, headers = {}) =>
    service().call('POST', 'errors', { token: null, headers, body: headers === gzipped ? gzipSync(body) : body });
  const code = async (body: string, headers = {}) => {
    const response = await send(body, headers);
    return response.body.code ?? response.status;
  };

  test('with an unknown key is rejected before it is parsed', async () => {
    expect(await code(`{"project_api_key":"${unknownKey}","message":"${filler}" never closed`)).toBe('invalid_api_key');
    expect(await code(`{"project_api_key" :\n "","message":"${filler}"}`)).toBe('invalid_api_key');
  });

  test('without a key is rejected before it is parsed', async () => {
    expect(await code(`{"message":"${filler}",}`)).toBe('validation_failed');
    expect(await code(`{"project_api_key":5,"message":"${filler}"}`)).toBe('validation_failed');
    expect(await code(`{"message":"${filler}"`)).toBe('malformed_json');
    expect(await code(`["${filler}"`)).toBe('malformed_json');
  });

  test('that is a list or a text is valid JSON, but no report', async () => {
    for (const body of [`["${filler}"]`, `"${filler}"`]) {
      const response = await send(body);
      expect([response.status, response.body.code]).toEqual([422, 'validation_failed']);
      expect(response.body).toMatchObject({ detail: 'expected a JSON object' });
    }
  });

  test('with a key that is too long or has escapes is rejected like any other with an unknown key', async () => {
    expect(await code(`{"project_api_key":"${filler}","message":"m"}`)).toBe('invalid_api_key');
    expect(await code(`{"project_api_key":"a\\nb","message":"${filler}"}`)).toBe('invalid_api_key');
  });

  test('is accepted with its key at any position of the body', async () => {
    const key = service().project.api_key;
    expect(await code(`{"message":"${filler}","project_api_key":"${key}"}`)).toBe(200);
    expect(
      await code(`{"message":"\\"project_api_key\\":\\"${unknownKey}\\"${filler}","project_api_key": "${key}"}`),
    ).toBe(200);
    const nested = { metadata: { project_api_key: unknownKey, filler }, message: 'm', project_api_key: key };
    expect(await code(JSON.stringify(nested))).toBe(200);
  });

  test('with the key of a project only in a nested value is rejected after parsing', async () => {
    const nested = { metadata: { project_api_key: service().project.api_key }, message: filler };
    expect(await code(JSON.stringify({ ...nested, project_api_key: unknownKey }))).toBe('invalid_api_key');
    expect(await code(JSON.stringify(nested))).toBe('validation_failed');
  });

  test('is decompressed beyond a usual compression ratio only if it has a known key', async () => {
    const large = 'x'.repeat(1_000_000);
    expect(await code(`{"project_api_key":"${unknownKey}","message":"${large}"}`, gzipped)).toBe('payload_too_large');
    expect(await code(`{"message":"${large}"}`, gzipped)).toBe('payload_too_large');
    expect(await code(`{"project_api_key":"${service().project.api_key}","message":"${large}"}`, gzipped)).toBe(200);
  });

  test('with an unknown key and a usual compression ratio gets the same response as uncompressed', async () => {
    const lines = Array.from({ length: 4_000 }, (_, line) => `at f${line * 7919} (https://a.example/${line}.js:1:1)`);
    const body = JSON.stringify({ project_api_key: unknownKey, message: 'm', stacktrace: lines.join('\n') });
    expect(await code(body, gzipped)).toBe('invalid_api_key');
  });
});
