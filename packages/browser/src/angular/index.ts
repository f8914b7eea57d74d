export { angularErrorHandler } from './angular-error-handler.ts';
