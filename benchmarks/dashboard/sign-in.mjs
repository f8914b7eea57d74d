/**
 * Signs the owner in. Resolves with the cookie of the session.
 *
 * @param {URL} url
 */
export async function signIn(url) {
  const response = await fetch(new URL('/api/v1/auth/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin },
    body: JSON.stringify({ email: 'admin@localhost', password: 'correct horse battery' }),
  });
  const [pair = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
  const [name, value] = pair.split('=');
  if (!response.ok || !value) throw new Error(`The sign-in responded with ${response.status}.`);
  return { name, value, url: url.origin };
}

/** @typedef {Awaited<ReturnType<typeof signIn>>} Cookie */
