import { fetchTransport } from './transport.ts';

/** The default of every option that is not a string. */
export const defaults = {
  beforeSend: (report: unknown) => report,
  transport: fetchTransport,
  ignoreErrors: [],
  allowUrls: [''],
  denyUrls: [],
  sampleRate: 1,
  maxBreadcrumbs: 64,
  breadcrumbs: {},
  ignore: {},
  debug: false,
};
