export { reportingFallback } from './reporting-fallback.ts';
