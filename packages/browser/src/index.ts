export { addBreadcrumb } from './add-breadcrumb.ts';
export type { Integration, Options } from './client.ts';
export type { BreadcrumbInput } from './breadcrumbs.ts';
export {
  captureException,
  captureMessage,
  close,
  flush,
  setMetadata,
  setTag,
  setTags,
  setUser,
  withScope,
} from './default-client.ts';
export { createClient } from './create-client.ts';
export type { BrowserClient } from './create-client.ts';
export { init } from './init.ts';
export { captureConsole } from './integrations/capture-console.ts';
export { captureFailedRequests } from './integrations/capture-failed-requests.ts';
export type { FailedRequestOptions } from './integrations/capture-failed-requests.ts';
export { offlineStorage } from './integrations/offline-storage.ts';
export type { BreadcrumbSwitches, NoiseSwitches, Pattern, ReportResponse, Transport } from './options.ts';
export type { Breadcrumb, ErrorReport, Level } from './report.ts';
export type { CaptureContext, Scope, Tags, TagValue, User } from './scope.ts';
