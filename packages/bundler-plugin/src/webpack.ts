import { servicePlugin } from './plugin.ts';

/** The plugin for webpack. */
export const service = servicePlugin.webpack;
export type { ServicePluginOptions } from './options.ts';
