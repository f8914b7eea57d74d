import { servicePlugin } from './plugin.ts';

/** The plugin for Vite. */
export const service = servicePlugin.vite;
export type { ServicePluginOptions } from './options.ts';
