import type { Report } from './report.ts';

/** What the server says to a report. */
export interface Answer {
  status: number;
  headers?: { get(name: string): string | null } | undefined;
}

/** Takes the place of the network. */
export type Transport = (report: Report) => Promise<Answer>;

/** Text that occurs in another, or a pattern that fits it. */
export type Pattern = string | RegExp;

/** What `@service/browser/errors` needs and understands. */
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
  /** Errors that are not reported: what fits `Type: message`. */
  ignoreErrors?: readonly Pattern[] | undefined;
  /** If given, only errors of scripts whose URL fits are reported. */
  allowUrls?: readonly Pattern[] | undefined;
  /** Errors of scripts whose URL fits are not reported. */
  denyUrls?: readonly Pattern[] | undefined;
  /** The share of errors that is reported: 1 is all, 0 none. */
  sampleRate?: number | undefined;
  /** How many breadcrumbs are kept: 64. */
  maxBreadcrumbs?: number | undefined;
  /** Kinds of breadcrumbs that are not noted: `{ console: false }`; `click: { text: true }` notes what was clicked, too. */
  breadcrumbs?: BreadcrumbSwitches | undefined;
  /** Noise that is left out, unless it is false here. */
  ignore?: NoiseSwitches | undefined;
  /** Takes the place of the network, for tests. */
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
  /** `Script error.`, all that a browser tells of scripts of other origins. */
  scriptError?: boolean | undefined;
  /** Errors in browser extensions. */
  extensions?: boolean | undefined;
  /** `ResizeObserver loop …`, which harms nobody. */
  resizeObserver?: boolean | undefined;
}

type Given<Value> = { [Name in keyof Value]-?: Exclude<Value[Name], undefined> };

/** The options that count: every one but texts has a value. */
export type Settings = Pick<Options, 'apiKey' | 'endpoint' | 'environment' | 'release'> &
  Given<Omit<Options, 'apiKey' | 'endpoint' | 'environment' | 'release'>> & {
    /** The page's own, from before it is wrapped. */
    fetch: typeof globalThis.fetch;
  };
