export { captureBoundaryError } from './capture-boundary-error.ts';
