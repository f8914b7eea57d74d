import { createApp } from '../../src/app.ts';
import { parseConfig, type ConfigInput } from '../../src/config.ts';
import { openServices, type Edges, type Services } from '../../src/services.ts';
import { adminToken, type TestResponse, type Body, type CallOptions } from './describe-service.ts';

/** A service without a socket, whose services and clock a test can access. */
export interface OpenService {
  services: Services;
  /** Calls the API, as the owner by default. */
  call<Json = Body>(method: string, path: string, options?: CallOptions): Promise<TestResponse<Json>>;
  close(): Promise<void>;
}

export async function openService(config: ConfigInput = {}, edges: Edges = {}): Promise<OpenService> {
  const services = await openServices(
    parseConfig({
      storage: 'memory:',
      adminToken,
      adminPassword: 'correct horse battery',
      logLevel: 'silent',
      ...config,
    }),
    edges,
  );
  const app = createApp(services);
  return {
    services,
    async call<Json>(method: string, path: string, options: CallOptions = {}): Promise<TestResponse<Json>> {
      const { body, headers = {}, token = adminToken } = options;
      const response = await app.fetch(
        new Request(`http://127.0.0.1:4400/api/v1/${path}`, {
          method,
          headers: {
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && {
            body: (typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)) as string,
          }),
        }),
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (text === '' ? {} : JSON.parse(text)) as Json,
      };
    },
    close: () => services.close(),
  };
}
