export { ErrorBoundary } from './error-boundary.ts';
export type { ErrorBoundaryProps, Fallback } from './error-boundary.ts';
export { reactErrorHandlers } from './react-error-handlers.ts';
export type { ReactErrorHandler, ReactErrorHandlers } from './react-error-handlers.ts';
export { useErrorReport } from './use-error-report.ts';
