import { servicePlugin } from './plugin.ts';

/** The plugin for Rolldown. */
export const service = servicePlugin.rolldown;
export type { ServicePluginOptions } from './options.ts';
