import { detectRelease } from '@service/source-maps';

/** The options of the plugin. All are optional: in CI, variables are sufficient. */
export interface ServicePluginOptions {
  /** The URL of the server. Default: the variable SERVICE_ENDPOINT. Without an endpoint nothing is uploaded. */
  endpoint?: string | undefined;
  /** A personal access token. Default: the variable SERVICE_TOKEN. Without a token nothing is uploaded. */
  token?: string | undefined;
  /** Id or name of the project. Default: the variable SERVICE_PROJECT, else the only project of the team. */
  project?: string | undefined;
  /**
   * The release of the build. Default: the variable SERVICE_RELEASE, else the commit from the variables of the CI
   * service, else the commit of git. Null: no release.
   */
  release?: string | null | undefined;
  /** False: maps and debug ids are written, and you upload them yourself. Default: true. */
  upload?: boolean | undefined;
  /**
   * True: maps are removed from the output once the server has proven them. Default: true if the plugin has switched
   * them on, false if your own configuration has.
   */
  removeMaps?: boolean | undefined;
  /** True: a failed upload fails the build. Default: false, it prints a warning. */
  strict?: boolean | undefined;
  /**
   * Vite only. True: `vite dev` starts a server in memory, with its dashboard at `/__errors`. Needs the package
   * `@service/server`. Default: false.
   */
  dev?: boolean | undefined;
}

/** The options of one build, complete with those from variables. */
export interface BuildSettings {
  endpoint: string | null;
  token: string | null;
  project: string | undefined;
  release: string | null;
  /** True if no release is set and no commit was found. */
  isReleaseMissing: boolean;
  /** True if the build writes maps for an upload, by the plugin or by the user. */
  needsMaps: boolean;
  uploads: boolean;
  removeMaps: boolean | undefined;
  isStrict: boolean;
}

/** Reads the options and the variables of a build. */
export function readSettings(options: ServicePluginOptions, env: NodeJS.ProcessEnv, folder: string): BuildSettings {
  const given = options.release === null ? null : optionText(options.release);
  // A secret that was pasted often ends in a line break.
  const token = (options.token || env.SERVICE_TOKEN || '').trim() || null;
  const endpoint = (options.endpoint || env.SERVICE_ENDPOINT || '').trim() || null;
  const uploads = options.upload !== false && token !== null && endpoint !== null;
  const release = given === undefined ? detectRelease(env, folder) : given;
  return {
    endpoint: endpoint && endpoint.replace(/\/+$/, ''),
    token,
    project: optionText(options.project) ?? (env.SERVICE_PROJECT || undefined),
    release,
    isReleaseMissing: release === null && given === undefined,
    // Without an upload, maps that no user asked for would be deployed with the scripts.
    needsMaps: uploads || options.upload === false,
    uploads,
    removeMaps: options.removeMaps,
    isStrict: options.strict === true,
  };
}

/**
 * Returns the text of an option, or undefined if it is not set. In a configuration in JavaScript it may be a number, or
 * false from `isProduction && version`, which counts as not set. So does an empty text.
 */
function optionText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
