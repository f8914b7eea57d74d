import type { Options } from './client.ts';
import { warn } from './warn.ts';

/** The type of each option, as `typeof` names it. */
const optionTypes: Record<string, string> = {
  apiKey: 'string',
  endpoint: 'string',
  environment: 'string',
  release: 'string',
  beforeSend: 'function',
  beforeBreadcrumb: 'function',
  transport: 'function',
  ignoreErrors: 'object',
  allowUrls: 'object',
  denyUrls: 'object',
  ignore: 'object',
  breadcrumbs: 'object',
  integrations: 'object',
  sampleRate: 'number',
  maxBreadcrumbs: 'number',
  sendUserDetails: 'boolean',
  debug: 'boolean',
} satisfies Record<keyof Options, string>;

/** Removes each unknown option and each option of a wrong type, and names it in a warning. Null is the default. */
export function checkOptions<Given extends object>(options: Given): Given {
  const usable = Object.entries(options).filter(([name, value]) => isUsable(name, value));
  return Object.fromEntries(usable) as Given;
}

function isUsable(name: string, value: unknown): boolean {
  const type = optionTypes[name];
  if (type && (value == null || (typeof value === type && !Number.isNaN(value)))) return true;
  if (type) warn(4, `Option ${name} must be of type ${type}`);
  else warn(4, `Unknown option ${name}. The nearest is ${nearestOption(name)}`);
  return false;
}

/** Returns the option that has most letters in common with a misspelled name. */
function nearestOption(name: string): string {
  const distance = (option: string): number => countMissing(option, name) + countMissing(name, option);
  return Object.keys(optionTypes).reduce((best, option) => (distance(option) < distance(best) ? option : best));
}

/** Returns the number of letters in a word that are not in another. */
function countMissing(word: string, other: string): number {
  return [...word].filter((letter) => !other.includes(letter)).length;
}
