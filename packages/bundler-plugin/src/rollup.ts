import { servicePlugin } from './plugin.ts';

/** The plugin for Rollup. */
export const service = servicePlugin.rollup;
export type { ServicePluginOptions } from './options.ts';
