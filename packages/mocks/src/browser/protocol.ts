import type { SentRequest, ServerKind, ServerOptions } from '../server/messages.ts';

/** The path of the servers on the development server. A page adds its id, because pages do not share servers. */
export const serversPath = '/__service-mocks';

/**
 * The header that says what a page asks for, as escaped JSON; the body is that of the report. A response has it too,
 * unless something else than the plugin responds. Pages of other origins may not send it.
 */
export const messageHeader = 'service-mocks';

/** What a page asks its servers for. */
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
