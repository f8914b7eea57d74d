import { Problem } from '@service/protocol';
import { schemaTexts, type Operation } from '@service/protocol/operations';
import * as z from 'zod';

export type JsonObject = { [key: string]: unknown };

export interface QueryParameter {
  name: string;
  description: string | undefined;
  required: boolean;
  schema: JsonObject;
}

/** The schemas of all operations as OpenAPI writes them. Those with a name are components, the rest stand where they are used. */
export interface Components {
  /** What a request may hold. */
  input(schema: z.ZodType): JsonObject;
  /** What an answer holds. */
  output(schema: z.ZodType): JsonObject;
  query(schema: z.ZodObject): QueryParameter[];
  problem(): JsonObject;
  /** All components that were asked for, and those that they are made of. */
  used(): Record<string, JsonObject>;
}

type Direction = 'input' | 'output';
type Schemas = Record<string, JsonObject>;

/** Before the name of a schema where one is referred to. */
export const schemaPrefix = '#/components/schemas/';

export function createComponents(operations: readonly Operation[]): Components {
  const registry = z.registry<{ id: string }>();
  for (const [schema, { name }] of schemaTexts) registry.add(schema, { id: name });
  for (const [index, schema] of operations.flatMap(schemasOf).entries())
    if (!registry.has(schema)) registry.add(schema, { id: `unnamed-${index}` });
  const converted: Record<Direction, Schemas> = {
    input: convert(registry, 'input'),
    output: convert(registry, 'output'),
  };
  const used = new Map<string, JsonObject>();

  function written(schema: z.ZodType, direction: Direction): JsonObject {
    const name = schemaTexts.get(schema)?.name;
    const json =
      name === undefined ? converted[direction][registry.get(schema)?.id ?? ''] : { $ref: schemaPrefix + name };
    if (!json) throw new Error('A schema that no operation has.');
    keepReferences(json, direction);
    return json;
  }

  /** Remembers what is referred to, and what that refers to. */
  function keepReferences(json: JsonObject, direction: Direction): void {
    for (const name of referencesOf(json)) {
      const component = converted[direction][name] ?? {};
      const known = used.get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(component))
        throw new Error(`${name} is not the same in requests and answers: give it two names.`);
      if (known) continue;
      used.set(name, component);
      keepReferences(component, direction);
    }
  }

  return {
    input: (schema) => written(schema, 'input'),
    output: (schema) => written(schema, 'output'),
    query(schema) {
      const texts = schemaTexts.get(schema)?.fields ?? {};
      return Object.entries(schema.shape).map(([name, field]) => ({
        name,
        description: texts[name],
        required: !z.safeParse(field, undefined).success,
        // Queries are text; what is told is what the text stands for.
        schema: written(withoutOptional(field), 'output'),
      }));
    },
    problem: () => written(Problem, 'output'),
    used: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function schemasOf({ query, body, answers }: Operation): z.ZodType[] {
  return [
    ...Object.values(query?.shape ?? {}).map(withoutOptional),
    ...(body ? [body.schema] : []),
    ...Object.values(answers).flatMap((answer) => (answer.body ? [answer.body.schema] : [])),
  ];
}

function withoutOptional(field: z.core.$ZodType): z.ZodType {
  return (field instanceof z.ZodOptional ? field.unwrap() : field) as z.ZodType;
}

function convert(registry: z.core.$ZodRegistry<{ id: string }>, direction: Direction): Schemas {
  const { schemas } = z.toJSONSchema(registry, {
    target: 'transaction-2020-12',
    io: direction,
    uri: (id) => schemaPrefix + id,
    override: ({ jsonSchema }) => simplify(jsonSchema, direction),
  });
  const texts = new Map(Array.from(schemaTexts.values(), (text) => [text.name, text]));
  return Object.fromEntries(
    Object.entries(schemas).map(([id, json]) => {
      const { $schema: _dialect, $id: _address, id: _id, properties, ...rest } = json as JsonObject;
      const text = texts.get(id);
      const described = Object.entries((properties ?? {}) as Schemas).map(([name, field]) => {
        const description = text?.fields[name];
        return [name, description === undefined ? field : { ...field, description }];
      });
      return [
        id,
        {
          ...rest,
          ...(text && { description: text.text }),
          ...(properties !== undefined && { properties: Object.fromEntries(described) as Schemas }),
        },
      ];
    }),
  );
}

/** Takes away what zod adds for exactness and nobody wants to read. */
function simplify(json: z.core.JSONSchema.BaseSchema, direction: Direction): void {
  if (json.format !== undefined) delete json.pattern;
  if (json.format === 'binary') delete json.contentEncoding;
  if (json.default === null) delete json.default;
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') delete json.propertyNames;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  // Answers may grow fields: a client that refused them would break.
  if (direction === 'output' && json.additionalProperties === false) delete json.additionalProperties;
}

function referencesOf(json: JsonObject): Set<string> {
  const found = new Set<string>();
  JSON.stringify(json, (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(schemaPrefix))
      found.add(value.slice(schemaPrefix.length));
    return value;
  });
  return found;
}
