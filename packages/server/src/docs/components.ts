import { Problem } from '@service/protocol';
import { schemaTexts, type Operation } from '@service/protocol/operations';
import * as z from 'zod';

export type JsonObject = { [key: string]: unknown };

interface QueryParameter {
  name: string;
  description: string | undefined;
  required: boolean;
  schema: JsonObject;
}

/** The schemas of all operations in OpenAPI form. Named schemas become components; the others are inlined. */
export interface Components {
  /** Returns the schema of a request body. */
  input(schema: z.ZodType): JsonObject;
  /** Returns the schema of a response body. */
  output(schema: z.ZodType): JsonObject;
  query(schema: z.ZodObject): QueryParameter[];
  problem(): JsonObject;
  /** Returns all components that were requested so far, with those that they reference. */
  used(): Record<string, JsonObject>;
}

type Direction = 'input' | 'output';
type Schemas = Record<string, JsonObject>;

/** The prefix of a reference to a component. */
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

  function convertedSchema(schema: z.ZodType, direction: Direction): JsonObject {
    const name = schemaTexts.get(schema)?.name;
    const json =
      name === undefined ? converted[direction][registry.get(schema)?.id ?? ''] : { $ref: schemaPrefix + name };
    if (!json) throw new Error('The schema belongs to no operation.');
    addReferences(json, direction);
    return json;
  }

  /** Adds the referenced components to `used`, and recursively those that they reference. */
  function addReferences(json: JsonObject, direction: Direction): void {
    for (const name of referencesOf(json)) {
      const component = converted[direction][name] ?? {};
      const known = used.get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(component))
        throw new Error(`${name} differs between requests and responses: use two names.`);
      if (known) continue;
      used.set(name, component);
      addReferences(component, direction);
    }
  }

  return {
    input: (schema) => convertedSchema(schema, 'input'),
    output: (schema) => convertedSchema(schema, 'output'),
    query(schema) {
      const texts = schemaTexts.get(schema)?.fields ?? {};
      return Object.entries(schema.shape).map(([name, field]) => ({
        name,
        description: texts[name],
        required: !z.safeParse(field, undefined).success,
        // A query parameter is always text, so the schema of the parsed value is documented.
        schema: convertedSchema(withoutOptional(field), 'output'),
      }));
    },
    problem: () => convertedSchema(Problem, 'output'),
    used: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function schemasOf({ query, body, responses }: Operation): z.ZodType[] {
  return [
    ...Object.values(query?.shape ?? {}).map(withoutOptional),
    ...(body ? [body.schema] : []),
    ...Object.values(responses).flatMap((response) => (response.body ? [response.body.schema] : [])),
  ];
}

function withoutOptional(field: z.core.$ZodType): z.ZodType {
  return (field instanceof z.ZodOptional ? field.unwrap() : field) as z.ZodType;
}

function convert(registry: z.core.$ZodRegistry<{ id: string }>, direction: Direction): Schemas {
  const { schemas } = z.toJSONSchema(registry, {
    target: 'draft-2020-12',
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
          ...(text && { description: text.description }),
          ...(properties !== undefined && { properties: Object.fromEntries(described) as Schemas }),
        },
      ];
    }),
  );
}

/** Removes keywords of zod that make the schema harder to read, or that would break clients. */
function simplify(json: z.core.JSONSchema.BaseSchema, direction: Direction): void {
  if (json.format !== undefined) delete json.pattern;
  if (json.format === 'binary') delete json.contentEncoding;
  if (json.default === null) delete json.default;
  if (JSON.stringify(json.propertyNames) === '{"type":"string"}') delete json.propertyNames;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  // Later versions may add fields to responses. A client that rejected unknown fields would break.
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
