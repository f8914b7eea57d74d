import { buildRequest, readResponse, type ApiResponse, type RequestOptions } from './api-call.ts';
import { checkResponse } from './check-response.ts';
import { adminToken } from './credentials.ts';
import type { ServerConnection } from './targets.ts';

/**
 * Sends a request as the operator's owner unless `options` say otherwise, and runs `checkResponse` on the response.
 */
export async function callAsOperator(
  server: Pick<ServerConnection, 'url' | 'fetch'>,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ApiResponse> {
  const request = buildRequest(server.url, method, path, { token: adminToken, ...options });
  const response = await readResponse(await server.fetch(request));
  checkResponse(method, path, options, response);
  return response;
}
