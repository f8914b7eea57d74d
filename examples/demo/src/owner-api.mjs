/** @import { Service } from '@service/server' */

/**
 * Calls a path below /api/v1 as the owner. Resolves with the JSON of the response; rejects if the status is not 2xx.
 * @typedef {(method: string, path: string, body?: object | FormData) => Promise<any>} OwnerApi
 */

/**
 * @param {Service} service
 * @param {string | null} adminToken
 * @returns {OwnerApi}
 */
export function createOwnerApi(service, adminToken) {
  let token = adminToken;

  return async (method, path, body) => {
    token ??= await signIn(service);
    let answer = await send(path, method, body, token);
    if (answer.status === 401 && adminToken === null) {
      // Access tokens are valid for minutes, and the demo runs for days.
      token = await signIn(service);
      answer = await send(path, method, body, token);
    }
    return readAnswer(answer);
  };

  /**
   * @param {string} path
   * @param {string} method
   * @param {object | FormData | undefined} body
   * @param {string} bearer
   */
  function send(path, method, body, bearer) {
    return service.fetch(request(path, method, body, { authorization: `Bearer ${bearer}` }));
  }
}

/**
 * Signs in with a link of the server, like a person would.
 * @param {Service} service
 * @returns {Promise<string>}
 */
async function signIn(service) {
  const link = new URL(await service.signInLink('http://localhost'));
  const token = link.hash.slice('#sign-in='.length);
  const { access_token } = await readAnswer(await service.fetch(request('/auth/links/use', 'POST', { token }, {})));
  return access_token;
}

/**
 * @param {string} path
 * @param {string} method
 * @param {object | FormData | undefined} body
 * @param {Record<string, string>} headers
 */
function request(path, method, body, headers) {
  const url = `http://localhost/api/v1${path}`;
  if (body === undefined) return new Request(url, { method, headers });
  if (body instanceof FormData) return new Request(url, { method, headers, body });
  return new Request(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/**
 * @param {Response} answer
 * @returns {Promise<any>}
 */
async function readAnswer(answer) {
  /** @type {any} */
  const body = await answer.json();
  if (!answer.ok) throw new Error(`The server responded with ${answer.status}: ${body.detail}`);
  return body;
}
