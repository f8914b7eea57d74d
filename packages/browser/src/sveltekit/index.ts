export { handleErrorWithReporting } from './handle-error-with-reporting.ts';
