import { readFileSync } from 'node:fs';
import { defineConfig, type DefaultTheme } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { anchorOf } from '../anchor-of.mjs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The public address of the repository, such as `https://github.com/you/service`: it adds links that edit a page. */
const repository = process.env.DOCS_REPOSITORY;

export default defineConfig({
  title: 'Service',
  description: 'Open error tracking for web teams: a small browser SDK, and a light server that runs with one command.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: true,
  // On GitHub, the first page of a folder is its README.
  rewrites: (id) => id.replace(/(^|\/)README\.md$/, '$1index.md'),
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Browser SDK', link: '/sdk/' },
      { text: 'Self-hosting', link: '/self-hosting' },
      { text: 'API', link: '/reference/api' },
      { text: version, link: '/changelog' },
    ],
    sidebar: sidebar(),
    outline: 'deep',
    ...(repository && {
      socialLinks: [{ icon: 'github', link: repository }],
      editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    }),
  },
  // Pages are also read on GitHub: `<` in a text is a character.
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { plugins: [llmstxt()] },
});

function sidebar(): DefaultTheme.SidebarItem[] {
  return [
    section('Start', [
      ['In 60 seconds', '/start'],
      ['Install the packages', '/packages'],
      ['Screens of the dashboard', '/screens'],
      ['Coming from Sentry', '/coming-from-sentry'],
      ['Calls of Sentry', '/sentry-calls'],
    ]),
    section('Browser SDK', [
      ['Overview', '/sdk/'],
      ['Start', '/sdk/start'],
      ['React', '/react'],
      ['Vue', '/vue'],
      ['Svelte', '/svelte'],
      ['SvelteKit', '/sveltekit'],
      ['Next.js', '/next'],
      ['Nuxt', '/nuxt'],
      ['Angular', '/angular'],
      ['Solid', '/solid'],
      ['React Router and TanStack Router', '/routers'],
      ['Report from a server', '/node'],
      ['Caught errors', '/sdk/caught-errors'],
      ['Users, tags and metadata', '/sdk/users-and-metadata'],
      ['Breadcrumbs', '/sdk/breadcrumbs'],
      ['Filters', '/sdk/filters'],
      ['Privacy', '/sdk/privacy'],
      ['Sending and limits', '/sdk/sending'],
      ['Readable stacks', '/sdk/readable-stacks'],
      ['Source maps', '/source-maps'],
      ['Each bundler', '/bundlers'],
      ['Releases in CI', '/releases-in-ci'],
      ['Early errors', '/early-errors'],
      ['Workers', '/sdk/workers'],
      ['Content Security Policy', '/sdk/csp'],
      ['Tests of your app', '/testing'],
      ['Tests without the mocks', '/sdk/tests'],
      ['Reference', '/sdk/reference'],
      ['Troubleshooting', '/sdk/troubleshooting'],
      ['Browsers', '/browsers'],
    ]),
    section('Python SDK', [
      ['Overview', '/python/'],
      ['Start', '/python/start'],
      ['Django', '/python/django'],
      ['Flask', '/python/flask'],
      ['FastAPI', '/python/fastapi'],
      ['WSGI and ASGI', '/python/wsgi-and-asgi'],
      ['Celery', '/python/celery'],
      ['Logging', '/python/logging'],
      ['Breadcrumbs', '/python/breadcrumbs'],
      ['Privacy', '/python/privacy'],
      ['Sending', '/python/sending'],
      ['Reference', '/python/reference'],
      ['Troubleshooting', '/python/troubleshooting'],
    ]),
    section('Concepts', [
      ['How errors are grouped', '/concepts/grouping'],
      ['The life of a group', '/concepts/life-of-a-group'],
      ['How a frame is resolved', '/concepts/frames'],
      ['Quotas and 429', '/concepts/quotas'],
      ['The live stream', '/live-stream'],
      ['AI explanations', '/ai-explanations'],
      ['Notifications', '/notifications'],
    ]),
    section('Self-hosting', [
      ['Run a server', '/self-hosting'],
      ['Containers', '/hosting/containers'],
      ['Behind a proxy', '/hosting/proxies'],
      ['Run as a systemd service', '/hosting/systemd'],
      ['Several servers', '/many-servers'],
      ['Monitoring', '/hosting/monitoring'],
      ['Settings', '/settings'],
      ['Privacy and GDPR', '/hosting/privacy'],
      ['Delete data', '/hosting/delete-data'],
      ['Reliability', '/reliability'],
      ['Security', '/security'],
    ]),
    section('Reference', [
      ['Command line', '/cli'],
      ['REST API', '/reference/api'],
      ['Problem codes', '/reference/problems'],
      ['Glossary', '/glossary'],
      ['Decisions', '/decisions/'],
      ['Changelog', '/changelog'],
    ]),
  ];
}

function section(text: string, pages: [text: string, link: string][]): DefaultTheme.SidebarItem {
  return { text, items: pages.map(([name, link]) => ({ text: name, link })) };
}
