import { schemaPrefix, type JsonObject } from './components.ts';
import { html, joinHtml, type Html } from '../html/html.ts';

/** Renders a schema in a few words: `integer, 1 to 100`. A reference becomes a link. */
export function schemaType(schema: JsonObject): Html {
  const { $ref, allOf, anyOf, oneOf, type, items, additionalProperties, properties } = schema as {
    $ref?: string;
    allOf?: JsonObject[];
    anyOf?: JsonObject[];
    oneOf?: JsonObject[];
    type?: string | string[];
    items?: JsonObject;
    additionalProperties?: JsonObject | boolean;
    properties?: Record<string, JsonObject>;
  };
  if ($ref !== undefined) {
    const name = $ref.slice(schemaPrefix.length);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum))
    return joinHtml(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    );
  const choices = anyOf ?? oneOf ?? allOf;
  if (choices) return joinHtml(choices.map(schemaType), ' or ');
  if (type === 'array') return html`array of ${schemaType(items ?? {})}`;
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => html`<code>${name}</code> ${schemaType(field)}`);
    return html`object with ${joinHtml(fields, ', ')}`;
  }
  if (type === 'object' && typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    return html`object of ${schemaType(additionalProperties)}`;
  if (type === undefined) return html`anything`;
  return html`${[type].flat().map(typeName(schema)).join(' or ')}${constraints(schema)}`;
}

function typeName({ format }: JsonObject): (type: string) => string {
  const words: Record<string, string> = { 'date-time': 'time', uuid: 'UUID', email: 'e-mail address', binary: 'file' };
  return (type) => (type === 'string' && typeof format === 'string' ? (words[format] ?? format) : type);
}

function constraints({ minimum, maximum, minLength, maxLength, default: standard }: JsonObject): string {
  const range =
    maximum === undefined
      ? minimum !== undefined && `from ${String(minimum)}`
      : `${minimum === undefined ? 'to' : `${String(minimum)} to`} ${String(maximum)}`;
  const length =
    maxLength === undefined
      ? minLength !== undefined && `at least ${String(minLength)} characters`
      : `${minLength === undefined ? 'at most' : `${String(minLength)} to`} ${String(maxLength)} characters`;
  return [range, length, standard !== undefined && `default ${String(standard)}`]
    .filter((limit) => limit !== false)
    .map((limit) => `, ${limit}`)
    .join('');
}
