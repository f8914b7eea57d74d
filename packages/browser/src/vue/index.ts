export { errorReporting } from './error-reporting.ts';
