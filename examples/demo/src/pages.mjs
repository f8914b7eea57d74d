/** @import { Service } from '@service/server' */

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  // Port 9 is the target of the button for a failed request.
  "connect-src 'self' http://127.0.0.1:9",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Adds the demo's page, script and styles to the routes of the server.
 * @param {Service['app']} app
 * @param {import('./shop.mjs').Shop} shop
 * @param {() => Promise<import('./demo-project.mjs').Project>} findProject
 */
export function addPages(app, shop, findProject) {
  /**
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {() => string | Promise<string>} content
   */
  const serve = (path, headers, content) => {
    /** @param {{ res: { headers: Headers } }} event */
    const answer = (event) => {
      for (const [name, value] of Object.entries(headers)) event.res.headers.set(name, value);
      return content();
    };
    app.get(path, answer);
    // The server adds HEAD only to its own routes.
    app.head(path, answer);
  };

  serve(
    '/demo',
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
    async () => render(shop, await findProject()),
  );
  serve(
    shop.scriptPath,
    { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=31536000, immutable' },
    () => shop.script,
  );
  serve(
    '/demo/assets/demo.css',
    { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
    () => shop.style,
  );
}

/**
 * @param {import('./shop.mjs').Shop} shop
 * @param {import('./demo-project.mjs').Project} project
 */
function render({ page, release, scriptPath }, project) {
  /** @type {Record<string, string>} */
  const values = { apiKey: project.api_key, project: project.name, release, scriptPath };
  return page.replace(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values[name] ?? ''));
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
