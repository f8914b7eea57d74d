export { snippet } from './snippet.ts';
