import type * as Sdk from '../../packages/browser/src/index.ts';
import { startServer, type ServerProcess } from '../server-process.ts';
import type { Engine, Tab } from './engine.ts';
import { startSinkServer, type Sink } from './sink.ts';
import { startSite, type PageFiles, type Site } from './site.ts';

/** What a script of a page is told. */
interface Given {
  /** What init() needs. */
  options: { apiKey: string; endpoint: string };
  /** A URL whose requests fail as those to a server that is down. */
  torn: string;
}

/** Runs in the page, as a file of its own: it sees nothing of what is around it here. */
export type PageScript = (given: Given) => unknown;

export interface PageSource {
  /** Stands in the body, before all scripts. */
  html?: string;
  /** Runs before the SDK starts. */
  before?: PageScript;
  /** What init() is given beside `apiKey` and `endpoint`; null: the page calls it, or not at all. */
  options?: Partial<Sdk.Options> | null;
  /** Runs behind init(). */
  script?: PageScript;
  /** How the SDK comes: as the script with the global, which is usual here, or as ES modules. */
  sdk?: 'script' | 'module';
  /** Other files that lie beside the page. */
  files?: PageFiles;
  /** Go with each of its files. */
  headers?: Record<string, string>;
}

/** A page that is open. */
export interface Page {
  /** Runs a function in the page, which gets a copy of `argument`, and returns a copy of what it resolves with. */
  run<Result, Argument = undefined>(
    script: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  /** Everything that the SDK has captured by now is sent and answered. */
  flush(): Promise<void>;
  /** The lines that the SDK has written to the console. */
  warnings(): Promise<string[]>;
}

/** What a promise is tried with: a browser, two sites and a server that takes reports. */
export interface Scene {
  engine: Engine;
  tab: Tab;
  sink: Sink;
  site: Site;
  /** A site of another origin. */
  elsewhere: Site;
  /** Loads a page of the site that reports to the sink. Resolves when its scripts have run. */
  open(source: PageSource): Promise<Page>;
  /** The URL of such a page, which is loaded by whoever goes there; of the site unless another is given. */
  add(source: PageSource, site?: Site): string;
  /** The built server, one for all scenes of a stage. */
  server(): Promise<ServerProcess>;
  /** The page that is there now, however it came there. */
  page: Page;
}

/** What scenes are made of. */
export interface Stage {
  tab: Tab;
  scene(): Scene;
  close(): Promise<void>;
}

export async function openStage(engine: Engine): Promise<Stage> {
  const [sinks, site, elsewhere] = await Promise.all([startSinkServer(), startSite(), startSite()]);
  const tab = await engine.launch();
  let started: Promise<ServerProcess> | undefined;
  const server = (): Promise<ServerProcess> => (started ??= startServer('memory:'));
  return {
    tab,
    scene: () => newScene({ engine, tab, site, elsewhere, server, sink: sinks.open() }),
    async close() {
      await tab.close();
      await Promise.all([sinks.close(), site.close(), elsewhere.close(), (await started)?.kill()]);
    },
  };
}

function newScene(around: Pick<Scene, 'engine' | 'tab' | 'site' | 'elsewhere' | 'server' | 'sink'>): Scene {
  const { tab, sink, site } = around;
  const given: Given = {
    options: { apiKey: 'pk_browsers', endpoint: sink.endpoint },
    torn: `${sink.endpoint}/torn`,
  };
  const page: Page = {
    async run(script, argument) {
      const call = `(${String(script)})(${JSON.stringify(argument) ?? ''})`;
      const text = await tab.evaluate(`Promise.resolve(${call}).then((value) => JSON.stringify({ value }))`);
      return (JSON.parse(text) as { value: never }).value;
    },
    async flush() {
      // What was thrown is told to handlers in tasks of their own.
      const isDone = await page.run(async () => {
        for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setTimeout(resolve));
        return ServiceSDK.flush(8_000);
      });
      if (!isDone) throw new Error('The SDK still waits for answers.');
    },
    warnings: () => page.run(() => sdkLines),
  };
  const add = (source: PageSource, at = site): string => at.add(filesOf(source, given), source.headers);
  return {
    ...around,
    page,
    add,
    async open(source) {
      await tab.goto(add(source));
      return page;
    },
  };
}

function filesOf(source: PageSource, given: Given): PageFiles {
  const { html = '', before, options = {}, script, sdk = 'script', files } = source;
  const module = sdk === 'module' ? ' type="module"' : '';
  const call = (run: PageScript): string => `(${String(run)})(${JSON.stringify(given)});\n`;
  const scripts: PageFiles = {
    'first.js': call(prepare),
    ...(before && { 'before.js': call(before) }),
    ...(module && { 'sdk.js': `import * as sdk from '/sdk/index.js';\nself.ServiceSDK = sdk;\n` }),
    ...(options && { 'init.js': `ServiceSDK.init(${JSON.stringify({ ...given.options, ...options })});\n` }),
    ...(script && { 'script.js': call(script) }),
  };
  const tags = Object.keys(scripts).map((name) => `<script${module} src="${name}"></script>`);
  if (!module) tags.splice(before ? 2 : 1, 0, '<script src="/sdk/index.iife.js"></script>');
  return {
    'index.html': `<!doctype html>\n<meta charset="utf-8">\n<title>A page</title>\n${html}\n${tags.join('\n')}\n`,
    ...scripts,
    ...files,
  };
}

/** Runs first in every page. */
function prepare(): void {
  // To Chromium and WebKit a machine with nothing but loopback is offline, though all that pages talk to is there.
  self.hasNoNetwork = !navigator.onLine;
  if (self.hasNoNetwork) Object.defineProperty(Navigator.prototype, 'onLine', { configurable: true, get: () => true });

  self.sdkLines = [];
  const { warn } = console;
  console.warn = (...words) => {
    if (String(words[0]).startsWith('[ServiceSDK]')) self.sdkLines.push(words.join(' '));
    warn.apply(console, words);
  };
}

declare global {
  // What the pages' scripts see. `var` is how a global is declared that is a property of self too.
  var ServiceSDK: typeof Sdk;
  /** What the SDK has written to the console. */
  var sdkLines: string[];
  var hasNoNetwork: boolean;
}
