import { ok, problem, withoutPage, type Check } from './check.ts';

/** Checks that the Content-Security-Policy of the page allows requests to the server. */
export const checkPolicy: Check = async ({ api, page, unreadPage }) => {
  if (!page) return withoutPage('policy', { unreadPage });
  const target = new URL(api.endpoint);
  const blocking = page.policies.find((policy) => !allowsConnection(policy, target, new URL(page.url)));
  if (blocking === undefined)
    return ok(
      'policy',
      page.policies.length === 0
        ? 'The page has no Content-Security-Policy.'
        : 'The Content-Security-Policy allows reports.',
    );
  return problem(
    'policy',
    'The Content-Security-Policy of the page blocks reports.',
    `Add ${target.origin} to connect-src`,
    'docs/sdk/csp.md',
  );
};

/** Returns whether a policy lets a page connect to a URL: by `connect-src`, else by `default-src`. */
export function allowsConnection(policy: string, target: URL, page: URL): boolean {
  // A header may contain several policies. Each has to allow the request.
  return policy.split(',').every((one) => {
    const directives = new Map<string, string[]>();
    for (const directive of one.split(';')) {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      // Of equal directives, the first one counts.
      if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
    }
    const sources = directives.get('connect-src') ?? directives.get('default-src');
    return sources === undefined || sources.some((source) => matchesSource(source, target, page));
  });
}

function matchesSource(source: string, target: URL, page: URL): boolean {
  const text = source.toLowerCase();
  if (text === "'self'") return target.origin === page.origin;
  if (text === '*') return /^https?:$/.test(target.protocol);
  if (/^[a-z][a-z\d+.-]*:$/.test(text))
    return target.protocol === text || (text === 'http:' && target.protocol === 'https:');
  const parts = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[^:/*]+)(?::(\d+|\*))?(\/.*)?$/.exec(text);
  if (!parts) return false;
  const [, scheme = page.protocol.slice(0, -1), host = '', port, path] = parts;
  const protocol = target.protocol.slice(0, -1);
  if (protocol !== scheme && !(scheme === 'http' && protocol === 'https')) return false;
  if (!matchesHost(host, target.hostname)) return false;
  const defaultPort = protocol === 'https' ? '443' : '80';
  if (port !== '*' && (port ?? defaultPort) !== (target.port || defaultPort)) return false;
  const sent = `${target.pathname.replace(/\/$/, '')}/api/v1/errors`;
  return path === undefined || path === '/' || (path.endsWith('/') ? sent.startsWith(path) : sent === path);
}

function matchesHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
