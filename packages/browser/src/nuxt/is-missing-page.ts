/** The fields of an error that `createError()` of Nuxt has made. Since Nuxt 5, the status is no longer `statusCode`. */
interface NuxtError {
  __nuxt_error: true;
  statusCode?: number;
  status?: number;
}

/**
 * Returns whether an error of Nuxt says that a page does not exist (404), which is not a bug of the app. The error of a
 * request that was answered with 404 is another one.
 */
export function isMissingPage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('__nuxt_error' in error)) return false;
  const { statusCode, status } = error as NuxtError;
  return (statusCode ?? status) === 404;
}
