import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';

/** Makes a call that contains the current password of the user. A wrong one is a problem of its field. */
export async function callWithPassword(method: 'POST' | 'PATCH', path: string, body: object): Promise<void> {
  await call(method, path, body).catch((error: ApiError) => {
    // The server's message names e-mail and password. The form has no field for the e-mail.
    throw error.code === 'invalid_credentials'
      ? new ApiError(error.status, { errors: [{ path: 'current_password', detail: error.message }] })
      : error;
  });
}
