export { addBreadcrumb, captureException, captureMessage, close, flush, setMetadata, setUser } from './client.ts';
export type { BreadcrumbInput, CaptureContext, User } from './client.ts';
export { init } from './init.ts';
export type { Options } from './options.ts';
export type { Breadcrumb, Level, Report } from './report.ts';
export type { Answer } from './transport.ts';
