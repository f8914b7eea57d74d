import { servicePlugin } from './plugin.ts';

/** The plugin for Rspack. */
export const service = servicePlugin.rspack;
export type { ServicePluginOptions } from './options.ts';
