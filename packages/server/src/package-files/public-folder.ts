import { packageFolder } from './package-folder.ts';

/** Static files that the server serves: the dashboard, and the packages for apps. */
export const publicFolder = new URL('public/', packageFolder);
