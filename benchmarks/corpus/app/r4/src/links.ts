import { measured } from './lib/measured.ts';

export function ticketLink(base: string, code: string): string {
  const path = `tickets/${encodeURIComponent(code)}`;
  return new URL(path, base).toString();
}

export function partnerLink(partner: string): string {
  return new URL(`https://${partner}:port/ferry`).href;
}

export function decodeToken(token: string): string {
  const decoded = measured('token', () => atob(token));
  return decoded;
}

export function decodeKey(key: string): number[] {
  const bytes = atob(key);
  return [...bytes].map((byte) => byte.charCodeAt(0));
}

export function tokenHeaders(name: string, token: string): Headers {
  return new Headers({ [name]: token });
}

export function previewLink(preview: unknown): string {
  return URL.createObjectURL(preview as Blob);
}
