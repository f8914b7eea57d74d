import type * as Sdk from '../../packages/browser/src/index.ts';
import { startServer, type ServerProcess } from '../test-utils/server-process.ts';
import type { Engine, Tab } from './engine.ts';
import { startSinkServer, type Sink } from './sink.ts';
import { startSite, type PageFiles, type Site } from './site.ts';

/** The argument of a page script. */
interface ScriptInput {
  /** The required options of init(). */
  options: { apiKey: string; endpoint: string };
  /** A URL whose requests fail like those to a server that is down. */
  unreachableUrl: string;
}

/** A function that runs in the page, as a separate file. It must not use variables of its surroundings. */
export type PageScript = (input: ScriptInput) => unknown;

export interface PageSource {
  /** The HTML of the body, before all scripts. */
  html?: string;
  /** Runs before the SDK starts. */
  before?: PageScript;
  /** Further options of init(). With null, the page itself calls init(), or does not. */
  options?: Partial<Sdk.Options> | null;
  /** Runs after init(). The page has `isScriptPending` until a promise that it returns is settled. */
  script?: PageScript;
  /** Serves the page as XHTML. */
  isXhtml?: boolean;
  /** Loads the SDK as the script with the global (default) or as ES modules. */
  sdk?: 'script' | 'module';
  /** Further files in the folder of the page. */
  files?: PageFiles;
  /** The response headers of each file. */
  headers?: Record<string, string>;
}

/** The current page of the tab. */
export interface Page {
  /** Runs a function in the page with a copy of `argument`. Returns a copy of its result. */
  run<Result, Argument = undefined>(
    script: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  /** Resolves once all captured errors are sent and have a response. */
  flush(): Promise<void>;
  /** Returns the lines that the SDK has written by `console.warn`. */
  warnings(): Promise<string[]>;
}

/** The context of a test: a browser, two sites and a fake server for reports. */
export interface TestContext {
  engine: Engine;
  tab: Tab;
  sink: Sink;
  site: Site;
  /** A site of another origin. */
  otherSite: Site;
  /** Loads a page of the site that reports to the sink. Resolves when its scripts have run. */
  open(source: PageSource): Promise<Page>;
  /** Adds such a page to a site, `site` by default, without loading it. Returns its URL. */
  add(source: PageSource, site?: Site): string;
  /** Starts the built server, one for all contexts of a session. */
  server(): Promise<ServerProcess>;
  /** The current page of the tab. */
  page: Page;
}

/** A running browser that all tests of an engine share. */
export interface BrowserSession {
  tab: Tab;
  newContext(): TestContext;
  close(): Promise<void>;
}

export async function openBrowserSession(engine: Engine): Promise<BrowserSession> {
  const [sinks, site, otherSite] = await Promise.all([startSinkServer(), startSite(), startSite()]);
  const tab = await engine.launch();
  let started: Promise<ServerProcess> | undefined;
  const server = (): Promise<ServerProcess> => (started ??= startServer('memory:'));
  return {
    tab,
    newContext: () => createContext({ engine, tab, site, otherSite, server, sink: sinks.open() }),
    async close() {
      await tab.close();
      await Promise.all([sinks.close(), site.close(), otherSite.close(), (await started)?.kill()]);
    },
  };
}

function createContext(
  shared: Pick<TestContext, 'engine' | 'tab' | 'site' | 'otherSite' | 'server' | 'sink'>,
): TestContext {
  const { tab, sink, site } = shared;
  const input: ScriptInput = {
    options: { apiKey: 'pk_browsers', endpoint: sink.endpoint },
    unreachableUrl: `${sink.endpoint}/unreachable`,
  };
  const page: Page = {
    async run(script, argument) {
      const call = `(${String(script)})(${JSON.stringify(argument) ?? ''})`;
      const text = await tab.evaluate(`Promise.resolve(${call}).then((value) => JSON.stringify({ value }))`);
      return (JSON.parse(text) as { value: never }).value;
    },
    async flush() {
      // Browsers call error handlers in separate tasks.
      const isDone = await page.run(async () => {
        for (let task = 0; task < 3; task++) await new Promise((resolve) => setTimeout(resolve));
        return ServiceSDK.flush(60_000);
      });
      if (!isDone) throw new Error('The SDK still waits for responses.');
    },
    warnings: () => page.run(() => sdkLines),
  };
  const add = (source: PageSource, at = site): string => at.add(filesOf(source, input), source.headers);
  return {
    ...shared,
    page,
    add,
    async open(source) {
      await tab.goto(add(source));
      return page;
    },
  };
}

function filesOf(source: PageSource, input: ScriptInput): PageFiles {
  const { html = '', isXhtml, before, options = {}, script, sdk = 'script', files } = source;
  const module = sdk === 'module' ? ' type="module"' : '';
  const call = (run: PageScript): string => `(${String(run)})(${JSON.stringify(input)});\n`;
  const scripts: PageFiles = {
    'first.js': call(prepare),
    ...(before && { 'before.js': call(before) }),
    ...(module && { 'sdk.js': `import * as sdk from '/sdk/index.js';\nself.ServiceSDK = sdk;\n` }),
    ...(options && { 'init.js': `ServiceSDK.init(${JSON.stringify({ ...input.options, ...options })});\n` }),
    ...(script && { 'script.js': `self.trackScript(${call(script).replace(/;\n$/, '')});\n` }),
  };
  const tags = Object.keys(scripts).map((name) => `<script${module} src="${name}"></script>`);
  if (!module) tags.splice(before ? 2 : 1, 0, '<script src="/sdk/index.iife.js"></script>');
  const body = `<title>A page</title>\n${html}\n${tags.join('\n')}\n`;
  return {
    ...(isXhtml
      ? { 'index.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml">\n${body}</html>` }
      : { 'index.html': `<!doctype html>\n<meta charset="utf-8">\n${body}` }),
    ...scripts,
    ...files,
  };
}

/** The first script of every page. */
function prepare(): void {
  // `finally` passes a rejection on to its own promise, which has no handler: the page sees one unhandled rejection.
  const { Promise } = self;
  self.trackScript = (result) => {
    if (!(result instanceof Promise)) return;
    self.isScriptPending = true;
    void result.finally(() => (self.isScriptPending = false));
  };

  // Chromium and WebKit call a machine offline that has only loopback. The tests need no other network.
  self.hasNoNetwork = !navigator.onLine;
  if (self.hasNoNetwork) Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => true });

  self.sdkLines = [];
  const { warn } = console;
  console.warn = (...args) => {
    if (String(args[0]).startsWith('[ServiceSDK]')) self.sdkLines.push(args.join(' '));
    warn.apply(console, args);
  };
}

declare global {
  // Globals of the page scripts. Only `var` declares a global that is also a property of self.
  var ServiceSDK: typeof Sdk;
  /** The lines that the SDK has written by `console.warn`. */
  var sdkLines: string[];
  var hasNoNetwork: boolean;
  /** Follows a promise that the script of the page has returned. To await it would handle its rejection. */
  var trackScript: (result: unknown) => void;
  var isScriptPending: boolean | undefined;
}
