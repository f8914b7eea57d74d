import type { App } from 'vue';
import { captureFrameworkError } from '../default-client.ts';

/**
 * The Vue plugin: `app.use(errorReporting)` reports the errors of components, with the component's name and lifecycle
 * hook. A previous error handler of the app is still called. Without one, the error is written to the console, as Vue
 * does in production.
 */
export function errorReporting({ config }: App): void {
  const previous = config.errorHandler;
  config.errorHandler = (error, instance, lifecycleHook) => {
    // Vue names a component of `<script setup>` after its file.
    const { name, __name } = (instance?.$options ?? {}) as { name?: string; __name?: string };
    captureFrameworkError(error, { componentName: name ?? __name, lifecycleHook });
    if (previous) previous(error, instance, lifecycleHook);
    else console.error(error);
  };
}
