import { apiPrefix, problems, type Problem, type ProblemCode } from '@service/protocol';
import {
  operations,
  problemsOf,
  problemTexts,
  tags,
  type OperationResponse,
  type Auth,
  type Operation,
} from '@service/protocol/operations';
import { problemBody, ProblemError } from '../problem.ts';
import { version } from '../package-files/version.ts';
import { createComponents, type Components, type JsonObject } from './components.ts';

/**
 * Returns the OpenAPI 3.1 document, generated from the table of operations. Its URLs are relative, so that it is
 * correct behind any proxy.
 */
export function openApiDocument(): JsonObject {
  const components = createComponents(operations);
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    const path = (paths[pathTemplate(operation.path)] ??= {});
    path[operation.method] = describeOperation(operation, components);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Service',
      version,
      summary: 'Error tracking: collect error reports and group them by cause.',
      description: [
        'Request and response bodies are JSON in UTF-8. Times are ISO 8601 in UTC with milliseconds. Ids are positive integers that are never reused.',
        'A report contains the API key of its project in the body. All other operations require `Authorization: Bearer <access_token>`, unless stated otherwise.',
        'Every error response has the body `Problem`. Later versions may add fields to responses, so ignore unknown fields. Unknown fields of a request are rejected, except in reports.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiPrefix, description: 'This server' }],
    externalDocs: { description: 'API reference', url: '/docs/api' },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components.used(),
      securitySchemes,
      headers,
      examples: problemExamples(),
    },
  };
}

/** Converts a route pattern to an OpenAPI path template: `/projects/:id` becomes `/projects/{id}`. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, which is valid for 15 minutes, or a personal access token.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'service_session',
    description: 'For pages of this server: see `POST /auth/session`.',
  },
  stripeSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'The signature of a Stripe event.',
  },
  sandboxSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description: '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with the secret of the sandbox as the key.',
  },
};

const exampleRequestId = '0b6b7f0e-6a55-4a67-8f6c-6c8f6c7c0c5e';

const headers = {
  'X-Request-Id': {
    description:
      'Identifies the request in the server log. A value of 1-64 `[A-Za-z0-9_-]` from the client is used as is.',
    schema: { type: 'string' },
    example: exampleRequestId,
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 5 },
  'WWW-Authenticate': {
    description: 'The required authentication scheme.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
};

function describeOperation(operation: Operation, components: Components): JsonObject {
  const { id, tag, summary, description, auth, body } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation, components)];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.optional !== true,
        content: { [body.type]: { schema: components.input(body.schema), example: body.example } },
      },
    }),
    responses: { ...successResponses(operation, components), ...problemResponses(operation, components) },
    security: securityRequirements(auth),
  };
}

/** Returns the alternative security requirements: any one of them is sufficient. */
function securityRequirements(auth: Auth): JsonObject[] {
  if (auth === 'none' || auth === 'api_key') return [];
  if (auth === 'signature') return [{ stripeSignature: [] }, { sandboxSignature: [] }];
  return [{ bearer: [] }, { session: [] }, ...(auth === 'optional' ? [{}] : [])];
}

function pathParameters({ path, parameters = {} }: Operation): JsonObject[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => {
    const { description, values } = parameters[name] ?? {};
    return {
      name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema: values ? { type: 'string', enum: values } : { type: 'integer', minimum: 1 },
      example: values?.at(-1) ?? 1,
    };
  });
}

function queryParameters({ query }: Operation, components: Components): JsonObject[] {
  if (!query) return [];
  return components.query(query).map(({ name, description, required, schema }) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    required,
    schema,
  }));
}

function successResponses({ responses }: Operation, components: Components): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, body }]) => [
      status,
      {
        description,
        headers: { 'X-Request-Id': headerReference('X-Request-Id') },
        ...(body && { content: responseContent(body, components) }),
      },
    ]),
  );
}

function responseContent(body: NonNullable<OperationResponse['body']>, components: Components): JsonObject {
  return { [body.type ?? 'application/json']: { schema: components.output(body.schema), example: body.example } };
}

/** Returns one response per status, with all codes of the status. */
function problemResponses(operation: Operation, components: Components): Record<string, JsonObject> {
  const codesByStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(operation)) {
    const { status } = problems[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    Array.from(codesByStatus, ([status, codes]) => [
      String(status),
      {
        description: `${codes.map((code) => `\`${code}\``).join(', ')}.`,
        headers: Object.fromEntries(headerNames(status, codes).map((name) => [name, headerReference(name)])),
        content: {
          'application/json': {
            schema: { allOf: [components.problem(), { properties: { code: { enum: codes } } }] },
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      },
    ]),
  );
}

function headerNames(status: number, codes: ProblemCode[]): (keyof typeof headers)[] {
  const names: (keyof typeof headers)[] = ['X-Request-Id'];
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 401 && codes.some((code) => code !== 'invalid_api_key')) names.push('WWW-Authenticate');
  return names;
}

function headerReference(name: keyof typeof headers): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

function problemExamples(): Record<string, JsonObject> {
  const codes = new Set(operations.flatMap(problemsOf));
  return Object.fromEntries(
    Array.from(codes, (code) => [code, { summary: problems[code].title, value: problemExample(code) }]),
  );
}

export function problemExample(code: ProblemCode): Problem {
  const errors = [{ path: 'name', detail: 'expected string, received number' }];
  const details = code === 'validation_failed' ? { errors } : {};
  return problemBody(new ProblemError(code, problemTexts[code].detail, details), exampleRequestId);
}
