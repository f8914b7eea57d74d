import { packageFolder } from './package-folder.ts';

/** The static files of the server: the dashboard and the client packages. */
export const publicFolder = new URL('public/', packageFolder);
