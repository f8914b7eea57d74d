import { defineNuxtPlugin, useRuntimeConfig } from '#imports';
// The entry as an app imports it, so that the package contains it once.
import { captureException, init } from '@service/browser';
import { isMissingPage } from './is-missing-page.ts';
import type { NuxtModuleOptions } from './nuxt-module.ts';

/**
 * Added to an app by the module. Nuxt catches the errors of components, so the page gets no `error` event. Pages that
 * do not exist are not reported.
 */
export default defineNuxtPlugin((nuxt) => {
  init(useRuntimeConfig().public.serviceErrors as NuxtModuleOptions);
  nuxt.hook('vue:error', (error, instance, lifecycleHook) => {
    if (isMissingPage(error)) return;
    const { name, __name } = instance?.$options ?? {};
    captureException(error, { metadata: { componentName: name ?? __name, lifecycleHook } });
  });
  nuxt.hook('app:error', (error) => {
    if (!isMissingPage(error)) captureException(error);
  });
});
