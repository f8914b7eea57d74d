import type { Config } from '../config.ts';
import { isRecord } from '../validation/validation.ts';
import { cutBytes } from './truncate-bytes.ts';
import { plainText } from './plain-text.ts';

/** An OpenAI-compatible endpoint. */
export interface Provider {
  baseUrl: string;
  key: string | null;
  model: string;
}

const timeoutMs = 60_000;
const answerBytes = 256 * 1024;
const summaryBytes = 16 * 1024;

/** The call failed. `message` is for whoever asked: without the address, the key, or a word of the answer. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  /** Whether another try may do better. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** The provider of the settings; null: the server explains by itself. */
export function providerOf({ aiBaseUrl, aiKey, aiModel }: Config): Provider | null {
  return aiBaseUrl === null ? null : { baseUrl: aiBaseUrl, key: aiKey, model: aiModel };
}

/**
 * The body of the request: what the receipt shows, to the byte. It names no limit of tokens: what one model needs for that
 * another one refuses, and the answer is bounded by its time and bytes.
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

/** Asks once, for 60 seconds at most, and answers with the text. Rejects with a ProviderError. */
export async function askProvider({ baseUrl, key }: Provider, body: string, stop: AbortSignal): Promise<string> {
  const text = await call(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, key, body, stop);
  const summary = plainText(contentOf(text)).trim();
  if (summary === '') throw new ProviderError('The AI provider gave an empty answer.', true);
  return cutBytes(summary, summaryBytes);
}

async function call(url: string, key: string | null, body: string, stop: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
      body,
      // Elsewhere nobody was told that reports go there.
      redirect: 'error',
      signal,
    });
    if (response.ok) return await readText(response);
    await response.body?.cancel();
    const isPassing = response.status >= 500 || response.status === 429 || response.status === 408;
    throw new ProviderError(`The AI provider answered ${response.status}.`, isPassing);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const isLate = (error as Error).name === 'TimeoutError';
    throw new ProviderError(
      isLate ? 'The AI provider did not answer in time.' : 'The AI provider could not be reached.',
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
    if (size > answerBytes) throw new ProviderError('The AI provider gave an answer that is too long.', true);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString();
}

function contentOf(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new ProviderError('The AI provider gave an answer that is no JSON.', true);
  }
  const [choice] = isRecord(answer) && Array.isArray(answer.choices) ? (answer.choices as unknown[]) : [];
  const content = isRecord(choice) && isRecord(choice.message) ? choice.message.content : null;
  if (typeof content !== 'string') throw new ProviderError('The AI provider gave an answer without a text.', true);
  return content;
}
