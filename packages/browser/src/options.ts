import type { Report } from './report.ts';

/** The server's response to a report. */
export interface Answer {
  status: number;
  headers?: { get(name: string): string | null } | undefined;
}

/** Sends a report, in place of the network. */
export type Transport = (report: Report) => Promise<Answer>;

/** A string that occurs in a text, or a regular expression that matches it. */
export type Pattern = string | RegExp;

/** The options of `@service/browser/errors`. */
export interface ErrorsOptions {
  /** The project's key, from its settings in the dashboard. It can only send reports. */
  apiKey: string;
  /** The server's base URL: `https://errors.example.com`. */
  endpoint: string;
  environment?: string | undefined;
  /** The application's version. */
  release?: string | undefined;
  /** Changes a report, or drops it by returning null. Synchronous. */
  beforeSend?: ((report: Report) => Report | null) | undefined;
}

export interface Options extends ErrorsOptions {
  /** Drops errors whose `Type: message` matches. */
  ignoreErrors?: readonly Pattern[] | undefined;
  /** Reports only errors of scripts whose URL matches. */
  allowUrls?: readonly Pattern[] | undefined;
  /** Drops errors of scripts whose URL matches. */
  denyUrls?: readonly Pattern[] | undefined;
  /** The share of errors that is reported, from 0 (none) to 1 (all, the default). */
  sampleRate?: number | undefined;
  /** The maximum number of breadcrumbs; 64 by default. */
  maxBreadcrumbs?: number | undefined;
  /** Switches kinds of breadcrumbs off: `{ console: false }`. `click: { text: true }` also records the element's text. */
  breadcrumbs?: BreadcrumbSwitches | undefined;
  /** Noise that is dropped. Set a kind to false to report it. */
  ignore?: NoiseSwitches | undefined;
  /** Sends reports in place of the network, for tests. */
  transport?: Transport | undefined;
  /** Writes each report to the console. */
  debug?: boolean | undefined;
}

export interface BreadcrumbSwitches {
  navigation?: boolean | undefined;
  click?: boolean | { text?: boolean | undefined } | undefined;
  fetch?: boolean | undefined;
  xhr?: boolean | undefined;
  console?: boolean | undefined;
}

export interface NoiseSwitches {
  /** `Script error.`, the only message that a browser gives for scripts of other origins. */
  scriptError?: boolean | undefined;
  /** Errors in browser extensions. */
  extensions?: boolean | undefined;
  /** `ResizeObserver loop …`, which is harmless. */
  resizeObserver?: boolean | undefined;
}

type Defined<Value> = { [Name in keyof Value]-?: Exclude<Value[Name], undefined> };

/** The options with defaults applied: every option except the strings has a value. */
export type Settings = Pick<Options, 'apiKey' | 'endpoint' | 'environment' | 'release'> &
  Defined<Omit<Options, 'apiKey' | 'endpoint' | 'environment' | 'release'>> & {
    /** The page's own fetch, before it was patched. */
    fetch: typeof globalThis.fetch;
  };
