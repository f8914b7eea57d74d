/** What Nuxt generates for an app, as far as the plugin needs it. */
declare module '#imports' {
  interface NuxtApp {
    hook(
      name: 'vue:error',
      run: (error: unknown, instance: { $options: { name?: string; __name?: string } } | null, hook: string) => void,
    ): void;
    hook(name: 'app:error', run: (error: unknown) => void): void;
  }
  export function defineNuxtPlugin<Plugin>(plugin: (nuxt: NuxtApp) => Plugin): unknown;
  export function useRuntimeConfig(): { public: Record<string, unknown> };
}
