import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../../packages/protocol/src/operations/index.ts').Operation} Operation */

const protocol = fileURLToPath(new URL('../../packages/protocol/src', import.meta.url));

/**
 * Returns the generated pages by file name.
 *
 * @returns {Promise<Record<string, string>>}
 */
export async function loadReference() {
  const { problems, operations, problemsOf, problemTexts, tags } = await loadProtocol();
  /** @type {Map<string, Operation[]>} */
  const operationsOfTag = new Map(Object.keys(tags).map((tag) => [tag, []]));
  for (const operation of operations) operationsOfTag.get(operation.tag)?.push(operation);
  /** Problems that follow from the way in which an operation is called: its caller, its path and its body. */
  const common = [
    ...new Set(operations.flatMap((operation) => problemsOf({ ...operation, parameters: {}, problems: [] }))),
  ];
  return {
    'api.md': apiPage(),
    'problems.md': problemsPage(),
  };

  function apiPage() {
    const sections = [...operationsOfTag].map(([tag, list]) =>
      [`## ${tag}`, tags[tag], ...list.map(operationText)].join('\n\n'),
    );
    return page(
      'REST API',
      [
        'All paths start with `/api/v1` on your server.',
        'Your server also shows this reference at `/docs/api`, with examples for its own address, and as OpenAPI 3.1 at `/api/v1/openapi.json`.',
      ].join('\n'),
      `Besides the problems that are listed for an operation, it can return these, depending on its caller, its path and its body: ${common.map(problemLink).join(', ')}.`,
      ...sections,
    );
  }

  /** @param {Operation} operation */
  function operationText(operation) {
    const { id, method, path, summary, description, body, responses, query } = operation;
    const url = path.replace(/:(\w+)/g, '{$1}');
    const parameters = query ? Object.keys(query.shape) : [];
    return [
      `### ${summary} {#${id}}`,
      `\`${method.toUpperCase()} ${url}\` · ${accessText(operation)}`,
      description ?? '',
      parameters.length > 0 ? `Query: ${parameters.map((name) => `\`${name}\``).join(', ')}.` : '',
      body ? bodyText(body) : '',
      ...Object.entries(responses).map(([status, response]) => responseText(status, response)),
      ownProblems(operation).length > 0 ? `Problems: ${ownProblems(operation).map(problemLink).join(', ')}.` : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  }

  /** @param {Operation} operation */
  function ownProblems(operation) {
    return problemsOf(operation).filter((code) => !common.includes(code));
  }

  function problemsPage() {
    const codes = Object.keys(problems).toSorted((a, b) => problems[a].status - problems[b].status);
    const intro = [
      'Every error response has the same JSON body: `type`, `title`, `status`, `detail`, `code`, `request_id`, and `errors` for invalid fields.',
      'Programs use `code`, which is stable; `detail` is for people.',
      'Search the log of the server for the `request_id`.',
    ].join('\n');
    return page('Problem codes', intro, ...codes.map(problemText));
  }

  /** @param {string} code */
  function problemText(code) {
    const { status, title } = problems[code];
    const { meaning, remedy, detail } = problemTexts[code];
    return [
      `## ${code}`,
      `${status} ${title}. ${meaning}`,
      `**How to fix it.** ${remedy}`,
      `Example: “${detail}”`,
    ].join('\n\n');
  }
}

/** Bundles the protocol, which exists only as TypeScript, and imports the bundle. */
async function loadProtocol() {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { problems } from './index.ts'; export * from './operations/index.ts';`,
      resolveDir: protocol,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`);
}

/** @param {string} title @param {string[]} parts */
function page(title, ...parts) {
  return `---\n# Written by write.mjs from the table of operations.\neditLink: false\n---\n\n# ${title}\n\n${parts.join('\n\n')}\n`;
}

/** @param {Operation} operation */
function accessText({ auth, role }) {
  const access = {
    bearer: 'bearer token or session cookie',
    optional: 'bearer token, session cookie, or a token in the body',
    api_key: 'API key of a project, in the body',
    signature: 'signature of the body',
    none: 'public',
  }[auth];
  return role ? `${access}; role ${role}` : access;
}

/** @param {NonNullable<Operation['body']>} body */
function bodyText({ type, example, optional }) {
  if (type === 'multipart/form-data') {
    const fields = Object.entries(/** @type {Record<string, string>} */ (example));
    return `Body (multipart form): ${fields.map(([name, value]) => `\`${name}=${value}\``).join(', ')}.`;
  }
  return `Body${optional ? ' (optional)' : ''}:\n\n${json(example)}`;
}

/** @param {string} status @param {Operation['responses'][number]} response */
function responseText(status, { description, body }) {
  const text = `Response ${status}: ${description}`;
  if (body === null || body.example === undefined) return text;
  const example =
    typeof body.example === 'string' ? `\`\`\`text\n${body.example.trimEnd()}\n\`\`\`` : json(body.example);
  return `${text}\n\n${example}`;
}

/** @param {unknown} value */
function json(value) {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** @param {string} code */
function problemLink(code) {
  return `[${code}](problems.md#${code})`;
}
