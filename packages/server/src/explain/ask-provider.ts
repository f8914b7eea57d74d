import type { Config } from '../config.ts';
import { isRecord } from '../validation/validation.ts';
import { truncateBytes } from '../text/truncate-bytes.ts';
import { plainText } from './plain-text.ts';

/** An OpenAI-compatible endpoint. */
export interface Provider {
  baseUrl: string;
  key: string | null;
  model: string;
}

const requestTimeoutMs = 60_000;
const maxResponseBytes = 256 * 1024;
const maxSummaryBytes = 16 * 1024;

/** A failed request to the provider. Users see `message`, so it has no URL, no key and no text of the response. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** True if a retry may succeed. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isTransient = isTransient;
  }
}

/** Returns the configured provider, or null if the server uses its built-in rules. */
export function providerOf({ aiBaseUrl, aiKey, aiModel }: Config): Provider | null {
  return aiBaseUrl === null ? null : { baseUrl: aiBaseUrl, key: aiKey, model: aiModel };
}

/**
 * Returns the body of the request, byte for byte as the receipt shows it. The body sets no token limit, because models
 * disagree about the name of that parameter. Time and size limit the response instead.
 */
export function requestBody({ model }: Provider, prompt: { system: string; user: string }): string {
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
    stream: false,
  });
}

/** Sends one request, for at most 60 seconds. Resolves with the text of the model. Rejects with a `ProviderError`. */
export async function askProvider({ baseUrl, key }: Provider, body: string, stop: AbortSignal): Promise<string> {
  const text = await call(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, key, body, stop);
  const summary = plainText(contentOf(text)).trim();
  if (summary === '') throw new ProviderError('The AI provider sent an empty response.', true);
  return truncateBytes(summary, maxSummaryBytes);
}

async function call(url: string, key: string | null, body: string, stop: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(requestTimeoutMs)]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
      body,
      // Reports may be sent only to the configured address, not to the target of a redirect.
      redirect: 'error',
      signal,
    });
    if (response.ok) return await readText(response);
    await response.body?.cancel();
    const isTransient = response.status >= 500 || response.status === 429 || response.status === 408;
    throw new ProviderError(`The AI provider responded with status ${response.status}.`, isTransient);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const isLate = (error as Error).name === 'TimeoutError';
    throw new ProviderError(
      isLate ? 'The AI provider did not respond in time.' : 'The AI provider could not be reached.',
      true,
      { cause: error },
    );
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxResponseBytes) throw new ProviderError('The AI provider sent a response that is too long.', true);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString();
}

function contentOf(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ProviderError('The AI provider sent a response that is not JSON.', true);
  }
  const [choice] = isRecord(answer) && Array.isArray(answer.choices) ? (answer.choices as unknown[]) : [];
  const content = isRecord(choice) && isRecord(choice.message) ? choice.message.content : null;
  const parts = textParts(content);
  if (parts.length === 0) throw new ProviderError('The AI provider sent a response without text.', true);
  return parts.join('');
}

/** Returns the texts of a message. Some providers send an array of typed parts, such as the thoughts of the model. */
function textParts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).flatMap((part) =>
    isRecord(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  );
}
