import { apiPrefix, problems, type Problem, type ProblemCode } from '@service/protocol';
import {
  operations,
  problemsOf,
  problemTexts,
  tags,
  type AnswerBody,
  type Auth,
  type Operation,
} from '@service/protocol/operations';
import { problemBody, ProblemError } from '../problem.ts';
import { version } from '../package-files/version.ts';
import { createComponents, type Components, type JsonObject } from './components.ts';

/**
 * The API as OpenAPI 3.1 tells it, made of the table of operations. Addresses are relative: the document is right
 * wherever the server is reached.
 */
export function openApiDocument(): JsonObject {
  const components = createComponents(operations);
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations) {
    const path = (paths[templateOf(operation.path)] ??= {});
    path[operation.method] = describeOperation(operation, components);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Service',
      version,
      summary: 'Error tracking: reports come in, are grouped, and are worked on.',
      description: [
        'Bodies are JSON in UTF-8 both ways, times are ISO 8601 UTC with milliseconds, ids are positive integers that are never used twice.',
        'Reports carry the key of their project in the body; every other call needs `Authorization: Bearer <access_token>`.',
        'Every error has the body `Problem`. Answers may grow fields: read those you know. Unknown fields of a request are refused, except in reports.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiPrefix, description: 'This server' }],
    externalDocs: { description: 'The same for people', url: '/docs/api' },
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

/** `/projects/:id` as OpenAPI writes it: `/projects/{id}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `access_token` of a sign-in, good for 15 minutes, or a personal access token.',
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
    description: 'By which Stripe signs its events.',
  },
  sandboxSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description: '`t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, by the secret of the sandbox.',
  },
};

const exampleRequestId = '0b6b7f0e-6a55-4a67-8f6c-6c8f6c7c0c5e';

const headers = {
  'X-Request-Id': {
    description:
      'Finds the request in the log of the server. One of 1-64 `[A-Za-z0-9_-]` that the client sends is kept.',
    schema: { type: 'string' },
    example: exampleRequestId,
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 5 },
  'WWW-Authenticate': { description: 'What is asked for.', schema: { type: 'string' }, example: 'Bearer' },
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
    responses: { ...answersOf(operation, components), ...problemAnswers(operation, components) },
    security: securityOf(auth),
  };
}

/** Any one of them will do. */
function securityOf(auth: Auth): JsonObject[] {
  if (auth === 'none' || auth === 'api_key') return [];
  if (auth === 'signature') return [{ stripeSignature: [] }, { sandboxSignature: [] }];
  return [{ bearer: [] }, { session: [] }, ...(auth === 'optional' ? [{}] : [])];
}

function pathParameters({ path, parameters = {} }: Operation): JsonObject[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => {
    const { description, words } = parameters[name] ?? {};
    return {
      name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema: words ? { type: 'string', enum: words } : { type: 'integer', minimum: 1 },
      example: words?.at(-1) ?? 1,
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

function answersOf({ answers }: Operation, components: Components): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, body }]) => [
      status,
      {
        description,
        headers: { 'X-Request-Id': headerReference('X-Request-Id') },
        ...(body && { content: contentOf(body, components) }),
      },
    ]),
  );
}

function contentOf(body: NonNullable<AnswerBody['body']>, components: Components): JsonObject {
  return { [body.type ?? 'application/json']: { schema: components.output(body.schema), example: body.example } };
}

/** One answer a status, with the codes that it may have. */
function problemAnswers(operation: Operation, components: Components): Record<string, JsonObject> {
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
        headers: Object.fromEntries(headersOf(status, codes).map((name) => [name, headerReference(name)])),
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

function headersOf(status: number, codes: ProblemCode[]): (keyof typeof headers)[] {
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
