import type { Breadcrumb, ErrorReport } from './report.ts';

/** The server's response to a report. */
export interface ReportResponse {
  status: number;
  headers?: { get(name: string): string | null } | undefined;
}

/** Sends a report, in place of the network. */
export type Transport = (report: ErrorReport) => Promise<ReportResponse>;

/** A string that occurs in a text, or a regular expression that matches it. */
export type Pattern = string | RegExp;

/** Changes a report, or drops it by returning null. */
type BeforeSend = (report: ErrorReport) => ErrorReport | null | Promise<ErrorReport | null>;

/** The options of `@service/browser/errors`. */
export interface ErrorsOptions {
  /** The project's key, from its settings in the dashboard. It can only send reports. */
  apiKey: string;
  /** The server's base URL: `https://errors.example.com`. */
  endpoint: string;
  environment?: string | null | undefined;
  /** The application's version. The bundler plugin sets it, so apps that use it can omit this option. */
  release?: string | null | undefined;
  /** Changes a report, or drops it by returning null. If it throws, the report is dropped. */
  beforeSend?: BeforeSend | null | undefined;
  /** Also sends the name and the e-mail address given to `setUser()`. False by default. */
  sendUserDetails?: boolean | null | undefined;
  /** Sends reports in place of the network, for tests. */
  transport?: Transport | null | undefined;
}

/** The options of `@service/browser`, apart from `integrations`, which `Options` in `client.ts` adds. */
export interface CoreOptions extends ErrorsOptions {
  /** Drops errors whose `Type: message` matches. */
  ignoreErrors?: readonly Pattern[] | null | undefined;
  /** Drops errors of scripts whose URL does not match. Errors without a script URL are reported. */
  allowUrls?: readonly Pattern[] | null | undefined;
  /** Drops errors of scripts whose URL matches. */
  denyUrls?: readonly Pattern[] | null | undefined;
  /** The share of errors that is reported, from 0 (none) to 1 (all, the default). */
  sampleRate?: number | null | undefined;
  /** The maximum number of breadcrumbs; 64 by default. */
  maxBreadcrumbs?: number | null | undefined;
  /** Switches kinds of breadcrumbs off: `{ console: false }`. `click: { text: true }` also records the element's text. */
  breadcrumbs?: BreadcrumbSwitches | null | undefined;
  /** Changes a breadcrumb, or drops it by returning null. */
  beforeBreadcrumb?: ((breadcrumb: Breadcrumb) => Breadcrumb | null) | null | undefined;
  /** Noise that is dropped. Set a kind to false to report it. */
  ignore?: NoiseSwitches | null | undefined;
  /** Writes each report to the console. */
  debug?: boolean | null | undefined;
}

export interface BreadcrumbSwitches {
  navigation?: boolean | null | undefined;
  click?: boolean | { text?: boolean | null | undefined } | null | undefined;
  fetch?: boolean | null | undefined;
  xhr?: boolean | null | undefined;
  console?: boolean | null | undefined;
}

export interface NoiseSwitches {
  /** `Script error.`, the only message that a browser gives for scripts of other origins. */
  scriptError?: boolean | null | undefined;
  /** Errors in browser extensions. */
  extensions?: boolean | null | undefined;
  /** `ResizeObserver loop …`, which is harmless. */
  resizeObserver?: boolean | null | undefined;
}
