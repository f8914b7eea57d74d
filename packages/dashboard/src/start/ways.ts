interface Way {
  name: string;
  code(key: string, endpoint: string): string;
}

/** How an app begins to report, by how it is made. */
export const ways: [Way, ...Way[]] = [
  {
    name: 'npm',
    code: (key, endpoint) =>
      `// npm install @service/browser\nimport { init } from '@service/browser';\n\ninit({\n  apiKey: '${key}',\n  endpoint: '${endpoint}',\n});`,
  },
  {
    name: 'React',
    code: (key, endpoint) =>
      `import { init } from '@service/browser';\nimport { reactErrorHandlers } from '@service/browser/react';\n\ninit({ apiKey: '${key}', endpoint: '${endpoint}' });\n\ncreateRoot(element, reactErrorHandlers()).render(<App />);`,
  },
  {
    name: 'Vue',
    code: (key, endpoint) =>
      `import { init } from '@service/browser';\nimport { errorReporting } from '@service/browser/vue';\n\ninit({ apiKey: '${key}', endpoint: '${endpoint}' });\n\ncreateApp(App).use(errorReporting).mount('#app');`,
  },
  {
    name: 'curl',
    code: (key, endpoint) =>
      `curl ${endpoint}/api/v1/errors \\\n  -H 'Content-Type: application/json' \\\n  -d '{ "project_api_key": "${key}", "message": "It broke" }'`,
  },
];
