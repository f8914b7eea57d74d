import { servicePlugin } from './plugin.ts';

/** The plugin for esbuild. */
export const service = servicePlugin.esbuild;
export type { ServicePluginOptions } from './options.ts';
