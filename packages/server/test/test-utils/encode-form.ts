/**
 * Encodes a form as bytes and a content type. A request with a `FormData` body cannot be cancelled on Node.js 24: when
 * the server responds early, undici writes the rest of the form into a closed stream, in a loop that nothing awaits,
 * and the test run ends with an unhandled rejection (https://github.com/nodejs/undici/issues/5835 is about the same
 * loop).
 */
export async function encodeForm(form: FormData): Promise<{ bytes: Uint8Array; contentType: string }> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { bytes: new Uint8Array(await encoded.arrayBuffer()), contentType };
}
