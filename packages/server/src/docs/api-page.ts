import { problems, type ProblemCode } from '@service/protocol';
import { operations, problemsOf, tags, type Operation, type Tag } from '@service/protocol/operations';
import type { JsonObject } from './components.ts';
import { curlExample } from './curl.ts';
import { html, type Html } from '../html/html.ts';
import { renderInline, renderParagraphs } from '../html/markdown.ts';
import { openApiDocument, pathTemplate } from './openapi.ts';
import { docsPage } from './docs-page.ts';
import { schemaType } from './schema-type.ts';
import { version } from '../package-files/version.ts';

type Field = [name: string, type: Html, isRequired: boolean, description: string];

/** Renders the API reference from the OpenAPI document, with a curl example for each operation. */
export function apiPage(baseUrl: string): string {
  const document = openApiDocument();
  const { schemas } = document.components as { schemas: Record<string, JsonObject> };
  const names = Object.keys(tags) as Tag[];
  const contents = html`${names.map(
      (tag) =>
        html`<p><a href="#${anchor(tag)}">${tag}</a></p>
          <ul>
            ${operationsOf(tag).map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
          </ul>`,
    )}
    <p><a href="#schemas">Schemas</a></p>`;
  const body = html`<h1>API</h1>
    <p class="lead">
      All paths start with <code>${baseUrl}/api/v1</code>. Version ${version}. For tools, there is
      <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    ${renderParagraphs((document.info as { description: string }).description)}
    <p>Every operation can also return:</p>
    <ul class="responses">
      ${problemList(commonProblems)}
    </ul>
    ${signInExample(baseUrl)}
    ${names.map(
      (tag) =>
        html`<section id="${anchor(tag)}">
          <h2>${tag}</h2>
          <p>${tags[tag]}</p>
          ${operationsOf(tag).map((operation) => operationArticle(operation, document, schemas, baseUrl))}
        </section>`,
    )}
    <section id="schemas">
      <h2>Schemas</h2>
      ${Object.entries(schemas).map(schemaArticle)}
    </section>`;
  return docsPage('API', 'api', contents, body);
}

function operationsOf(tag: Tag): Operation[] {
  return operations.filter((operation) => operation.tag === tag);
}

function anchor(tag: Tag): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}

function signInExample(baseUrl: string): Html {
  const signIn = [
    `TOKEN=$(curl -s ${baseUrl}/api/v1/auth/login -H 'Content-Type: application/json' \\`,
    `  -d '{ "email": "…", "password": "…" }' | jq -r .access_token)`,
  ].join('\n');
  return html`<div class="example first">
    <p>
      Sign in and use the token in the calls below. For CI and tools,
      <a href="#createPersonalToken">create a personal access token</a>.
    </p>
    ${codeBlock(signIn)}
  </div>`;
}

function operationArticle(
  operation: Operation,
  document: JsonObject,
  schemas: Record<string, JsonObject>,
  baseUrl: string,
): Html {
  const { id, method, path, summary, description, responses } = operation;
  const described = (document.paths as Record<string, Record<string, JsonObject>>)[pathTemplate(path)]?.[method] ?? {};
  const parameters = (described.parameters ?? []) as (JsonObject & { name: string; schema: JsonObject })[];
  const parametersIn = (location: string): Field[] =>
    parameters
      .filter((parameter) => parameter.in === location)
      .map(({ name, schema, required, description: text }) => [
        name,
        schemaType(schema),
        required === true,
        typeof text === 'string' ? text : '',
      ]);
  return html`<article id="${id}">
    <div class="text">
      <h3><a href="#${id}">${summary}</a></h3>
      <p class="signature">
        <b class="method ${method}">${method.toUpperCase()}</b> <code>${pathTemplate(path)}</code>
      </p>
      ${description !== undefined && renderParagraphs(description)}
      <p class="note">${authorization(operation)}</p>
      ${fieldTable('Path parameters', parametersIn('path'))} ${fieldTable('Query parameters', parametersIn('query'))}
      ${bodyText(described, schemas)}
      <h4>Responses</h4>
      <ul class="responses">
        ${Object.entries(responses).map(
          ([status, response]) =>
            html`<li><b>${status}</b> ${response.description} ${response.body && responseType(described, status)}</li>`,
        )}
        ${problemList(problemsOf(operation).filter((problem) => !commonProblems.includes(problem)))}
      </ul>
    </div>
    <div class="example">
      ${codeBlock(curlExample(baseUrl, operation))}
      ${Object.entries(responses)
        .slice(-1)
        .map(([status, { body }]) =>
          body
            ? html`<p>${status}</p>
                ${codeBlock(JSON.stringify(body.example, null, 2))}`
            : html`<p>${status}, no body</p>`,
        )}
    </div>
  </article>`;
}

function authorization({ auth, role }: Operation): Html {
  if (auth === 'none') return html`No token required.`;
  if (auth === 'api_key') return html`No token required. The body contains the API key of the project.`;
  if (auth === 'signature') return html`No token required. A header signs the body.`;
  if (auth === 'optional') return html`Requires a token in the header or in the body.`;
  const roles = { owner: 'owner', member: 'owner or member', viewer: 'any' }[role ?? 'viewer'];
  return html`Requires a token. Role: ${roles}.`;
}

function bodyText(described: JsonObject, schemas: Record<string, JsonObject>): Html | false {
  const { requestBody } = described as {
    requestBody?: { content: Record<string, { schema: JsonObject }>; required: boolean };
  };
  const [content] = Object.entries(requestBody?.content ?? {});
  if (!requestBody || !content) return false;
  const [type, { schema }] = content;
  const named =
    typeof schema.$ref === 'string' ? schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : undefined;
  return html`<h4>Body</h4>
    <p>${schemaType(schema)} as <code>${type}</code>${requestBody.required ? '.' : ', optional.'}</p>
    ${named && fieldList(fieldsOf(named))}`;
}

function responseType(described: JsonObject, status: string): Html | false {
  const { responses } = described as {
    responses: Record<string, { content?: Record<string, { schema: JsonObject }> }>;
  };
  const [content] = Object.values(responses[status]?.content ?? {});
  return content ? schemaType(content.schema) : false;
}

/** The error codes that every operation can return. They are listed once, not with each operation. */
const commonProblems = (Object.keys(problems) as ProblemCode[]).filter((problem) =>
  operations.every((operation) => problemsOf(operation).includes(problem)),
);

/** Renders one list item per status, with its codes. */
function problemList(codes: readonly ProblemCode[]): Html {
  const statuses = [...new Set(codes.map((problem) => problems[problem].status))].toSorted((one, other) => one - other);
  return html`${statuses.map((status) => {
    const links = codes
      .filter((problem) => problems[problem].status === status)
      .map((problem) => html`<a href="/docs/problems#${problem}">${problem}</a> `);
    return html`<li class="error"><b>${status}</b> ${links}</li>`;
  })}`;
}

function schemaArticle([name, schema]: [string, JsonObject]): Html {
  const { description, ...bare } = schema;
  return html`<article id="schema-${name}" class="schema">
    <div class="text">
      <h3><a href="#schema-${name}">${name}</a></h3>
      ${typeof description === 'string' && renderParagraphs(description)}
      ${schema.properties === undefined ? html`<p>${schemaType(bare)}</p>` : fieldList(fieldsOf(schema))}
    </div>
  </article>`;
}

function fieldsOf(schema: JsonObject): Field[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonObject>; required?: string[] };
  return Object.entries(properties).map(([field, json]) => {
    const text = typeof json.description === 'string' ? json.description : '';
    return [field, schemaType(json), required.includes(field), text];
  });
}

function fieldTable(title: string, fields: Field[]): Html | false {
  if (fields.length === 0) return false;
  return html`<h4>${title}</h4>
    ${fieldList(fields)}`;
}

function fieldList(fields: Field[]): Html | false {
  if (fields.length === 0) return false;
  return html`<dl>
    ${fields.map(
      ([name, type, isRequired, description]) =>
        html`<dt><code>${name}</code> <span>${type}</span>${isRequired ? '' : html` <i>optional</i>`}</dt>
          <dd>${renderInline(description)}</dd>`,
    )}
  </dl>`;
}

function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}
