import { expect } from 'vitest';
import type { ApiResponse, Json, RequestOptions } from './api-call.ts';
import { callAsOperator } from './call-as-operator.ts';
import { adminToken } from './credentials.ts';
import { runProgram, waitForUrl, type RunningProgram } from './run-program.ts';

/**
 * The server as a program that listens. Requests are sent as the operator's owner unless their options say otherwise.
 */
export interface ServerProgram extends RunningProgram {
  url: string;
  call(method: string, path: string, options?: RequestOptions): Promise<ApiResponse>;
  /** Sends a request that must get this status, and returns the response body. */
  send(status: number, method: string, path: string, options?: RequestOptions): Promise<Json>;
}

/** Runs `use` with the program on a free port, and kills it afterwards. */
export function withServer<Result>(
  storage: string,
  env: Record<string, string>,
  use: (server: ServerProgram) => Promise<Result>,
): Promise<Result> {
  const settings = { SERVICE_ADMIN_TOKEN: adminToken, SERVICE_REGISTRATION: 'open', ...env };
  return runProgram(['--port', '0', '--storage', storage], settings, async (program) => {
    const url = await waitForUrl(program.output);
    const call: ServerProgram['call'] = (method, path, options) =>
      callAsOperator({ url, fetch: (request) => fetch(request) }, method, path, options);
    return use({
      ...program,
      url,
      call,
      async send(status, method, path, options) {
        const response = await call(method, path, options);
        expect(response.status, `${method} ${path}: ${response.text.slice(0, 300)}`).toBe(status);
        return response.body;
      },
    });
  });
}

/** Stops a program, which must exit with 0. */
export async function stopServer({ kill, exited }: RunningProgram): Promise<void> {
  kill('SIGTERM');
  expect(await exited).toBe(0);
}
