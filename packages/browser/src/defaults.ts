import { post } from './post.ts';

/** What counts where the page says nothing. */
export const defaults = {
  beforeSend: (report: unknown) => report,
  transport: post,
  ignoreErrors: [],
  allowUrls: [''],
  denyUrls: [],
  sampleRate: 1,
  maxBreadcrumbs: 64,
  breadcrumbs: {},
  ignore: {},
  debug: false,
};
