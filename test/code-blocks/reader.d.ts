// The names that blocks of code use without an import: those of the reader's app, and globals of the frameworks. Also
// modules that are not installed here.

declare const worker: Worker;
declare const service: import('@service/mocks/vitest').MockService;
declare function checkout(): void;
declare const App: () => import('react').JSX.Element;
declare const Basket: () => import('react').JSX.Element;
declare const Home: () => import('react').JSX.Element;
declare const loader: () => unknown;
declare const routeTree: object;
declare const routes: object[];
declare const Sentry: { init(options: { dsn: string }): void };
/** The global of the SDK in a page without a bundler. */
declare const ServiceSDK: typeof import('@service/browser');
declare function defineNuxtConfig(config: {
  modules?: [name: string, options: object][];
  vite?: { plugins: object[] };
}): object;

interface ImportMeta {
  readonly env: Record<'VITE_SERVICE_API_KEY' | 'VITE_SERVICE_ENDPOINT', string>;
}

declare module 'astro/config' {
  export function defineConfig(config: { vite: { plugins: object[] } }): object;
}
declare module '@rspack/cli' {
  export function defineConfig(config: { mode: string; entry: string; plugins: object[] }): object;
}
declare module '@sveltejs/kit/vite' {
  export function sveltekit(): import('vite').Plugin;
}
declare module '@angular/core' {
  export const ErrorHandler: object;
}
declare module '@angular/platform-browser' {
  export function bootstrapApplication(
    app: object,
    config: { providers: { provide: object; useValue: { handleError(error: unknown): void } }[] },
  ): void;
}
declare module '@playwright/test' {
  type Run<Fixtures> = (fixtures: Fixtures & { page: import('playwright-core').Page }) => Promise<void>;
  export const test: { extend<Fixtures>(fixtures: object): (title: string, run: Run<Fixtures>) => void };
  export const expect: {
    extend(matchers: object): (value: unknown) => { toHaveReported(expected: object): Promise<void> };
  };
}
declare module '@tanstack/react-router' {
  export function createRouter(options: { routeTree: object; defaultOnCatch(error: Error): void }): object;
}
declare module 'react-router' {
  export function createBrowserRouter(
    routes: { path: string; Component: object; loader: () => unknown; ErrorBoundary: object }[],
  ): object;
  export function useRouteError(): unknown;
}
declare module 'vue-router' {
  export function createWebHistory(): object;
  export function createRouter(options: { history: object; routes: object[] }): {
    onError(handler: (error: unknown) => void): () => void;
  };
}
declare module 'storybook/test' {
  export const expect: {
    extend(matchers: object): void;
    (value: unknown): { toHaveReportedOnce(expected: RegExp): Promise<void> };
  };
  export const userEvent: { click(element: Element): Promise<void> };
  export function within(element: Element): { getByRole(role: string): Element };
}
declare module 'solid-js' {
  export function ErrorBoundary(props: {
    fallback: (error: unknown, reset: () => void) => unknown;
    children: unknown;
  }): import('react').JSX.Element;
}
