import type { App } from 'vue';
import { captureWith } from '../client.ts';

/**
 * A plugin: `app.use(errorReporting)` reports what components throw, with the component's name and where in its life it
 * was. A handler that the app had before is still called; without one the error is written to the console, as by Vue in
 * production.
 */
export function errorReporting({ config }: App): void {
  const earlier = config.errorHandler;
  config.errorHandler = (error, instance, lifecycleHook) => {
    // A component of `<script setup>` is named after its file.
    const { name, __name } = (instance?.$options ?? {}) as { name?: string; __name?: string };
    captureWith(error, { componentName: name ?? __name, lifecycleHook });
    if (earlier) earlier(error, instance, lifecycleHook);
    else console.error(error);
  };
}
