import type { Project } from '@service/protocol';
import { sdkScript, sdkTarball } from '../../server-facts.ts';

const install = (): string => `// Once, in a terminal:
// npm install ${location.origin}${sdkTarball}`;

const options = ({ api_key }: Project): string => `{ apiKey: '${api_key}', endpoint: '${location.origin}' }`;

/** The code that starts the SDK, by the kind of app. Only an SDK of Sentry needs the DSN. */
export const snippets = {
  npm: ({ api_key }: Project): string => `${install()}

import { init } from '@service/browser';

init({
  apiKey: '${api_key}',
  endpoint: '${location.origin}',
});`,

  Script: (project: Project): string => `<script
  src="${location.origin}${sdkScript.path}"
  integrity="${sdkScript.integrity}"
  crossorigin="anonymous"></script>
<script>
  ServiceSDK.init(${options(project)});
</script>`,

  React: (project: Project): string => `${install()}

import { init } from '@service/browser';
import { reactErrorHandlers } from '@service/browser/react';

init(${options(project)});

createRoot(element, reactErrorHandlers()).render(<App />);`,

  Vue: (project: Project): string => `${install()}

import { init } from '@service/browser';
import { errorReporting } from '@service/browser/vue';

init(${options(project)});

createApp(App).use(errorReporting).mount('#app');`,

  Sentry: (_: Project, dsn: string): string => `Sentry.init({
  dsn: '${dsn}',
});`,

  curl: ({ api_key }: Project): string => `curl ${location.origin}/api/v1/errors \\
  -H 'Content-Type: application/json' \\
  -d '{ "project_api_key": "${api_key}", "message": "It broke" }'`,
};

export type SnippetName = keyof typeof snippets;

const entryPoint = 'Put these lines at the start of your app’s entry point, before other code runs.';

/** Where to put each snippet. */
export const snippetInstructions: Record<SnippetName, string> = {
  npm: entryPoint,
  Script: 'Put these lines in the head of the page, before other scripts.',
  React: entryPoint,
  Vue: entryPoint,
  Sentry: 'Your app has an SDK of Sentry, in any language? Replace its DSN by this one.',
  curl: 'Run this command in a terminal. Programs without an SDK send their errors like this.',
};

/** A report as the SDK would send it, with the user agent of this browser. */
export function testReport({ api_key }: Project): object {
  const message = 'A test error from the dashboard';
  return {
    project_api_key: api_key,
    type: 'TestError',
    message,
    stacktrace: `TestError: ${message}\n    at sendTest (${location.origin}/test-error.js:1:1)`,
    environment: 'test',
    url: location.href,
    user_agent: navigator.userAgent,
  };
}
