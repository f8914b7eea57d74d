import { apiPrefix } from '@service/protocol';
import type { Operation } from '@service/protocol/operations';

/**
 * Returns an operation as a curl command. `$TOKEN` is an access token. `$SIGNATURE` is the signature of the body and of
 * `$TIME`, the time of signing.
 */
export function curlExample(baseUrl: string, { method, path, parameters, auth, body, responses }: Operation): string {
  const url =
    baseUrl + apiPrefix + path.replace(/:(\w+)/g, (_, name: string) => parameters?.[name]?.values?.at(-1) ?? '1');
  // Without -N, curl buffers the events of a stream.
  const unbuffered = responses[200]?.body?.type === 'text/event-stream' ? '-N ' : '';
  const lines = [`curl ${unbuffered}${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${url}`];
  if (auth === 'bearer') lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (auth === 'signature') lines.push(`-H "X-Signature: t=$TIME,v1=$SIGNATURE"`);
  if (body?.type === 'multipart/form-data') {
    for (const [name, value] of Object.entries(body.example as Record<string, string>))
      lines.push(`-F ${shellQuote(`${name}=${value}`)}`);
  } else if (body && !body.optional) {
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d ${shellQuote(JSON.stringify(body.example, null, 2).replaceAll('\n', '\n  '))}`,
    );
  }
  return lines.join(' \\\n  ');
}

/** Quotes a text as one word of a shell. */
function shellQuote(text: string): string {
  return /^[\w@~=./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
