import { isRecord } from '../validation/validation.ts';
import { removedText } from './removed-text.ts';
import { isCachedSecretName } from './secret-name.ts';

/**
 * Returns a value without the values of secrets: passwords, tokens, cookies and the like, recognized by their names,
 * also in the queries of URLs. Returns the same object if it has neither such a name nor a text with a `=`.
 */
export function valueWithoutSecrets(value: unknown): unknown {
  return mayHaveSecrets(value) ? copyWithoutSecrets(value) : value;
}

function mayHaveSecrets(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('=');
  if (Array.isArray(value)) return value.some(mayHaveSecrets);
  if (!isRecord(value)) return false;
  // Object.entries would allocate an array for each pair. Parsed JSON inherits no enumerable keys.
  for (const name in value) if (isCachedSecretName(name) || mayHaveSecrets(value[name])) return true;
  return false;
}

function copyWithoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (Array.isArray(value)) return value.map(copyWithoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isCachedSecretName(name) ? removedText : copyWithoutSecrets(item),
    ]),
  );
}

/** The query and the fragment of each URL in a text. Both begin with their mark. */
const partsOfUrls = /[?#][^\s#"'<>?]+/g;

/** Returns a text without the values of secrets in the URLs that it contains. */
export function textWithoutSecrets(text: string): string {
  return text.includes('=') ? text.replace(partsOfUrls, queryWithoutSecrets) : text;
}

/** Returns a query without the values of secrets. */
export function queryWithoutSecrets(query: string): string {
  return query.replace(/(^|[?&])([^=&]*)=[^&]*/g, (field, before: string, name: string) =>
    isCachedSecretName(name) ? `${before}${name}=${removedText}` : field,
  );
}
