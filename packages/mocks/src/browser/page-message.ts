import type { SentRequest, ServerKind, ServerOptions } from '../server/messages.ts';

/** The path of the servers on the development server. A page adds its id, because pages do not share servers. */
export const serversPath = '/__service-mocks';

/**
 * The header with the message of a page, as escaped JSON; the body is that of the request to the mocked server. The
 * plugin's response to a message has this header, too. Pages of other origins may not send it.
 */
export const messageHeader = 'service-mocks';

/** A message of a page to its servers. */
export type PageMessage =
  | {
      type: 'request';
      options: ServerOptions;
      server: ServerKind;
      request: Omit<SentRequest, 'body'>;
      hasBody: boolean;
    }
  | { type: 'reset' }
  | { type: 'close' };
