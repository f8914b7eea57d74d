import { attempt } from './attempt.ts';
import { checkOptionValues } from './check-option-values.ts';
import type { Options, Settings } from './client.ts';
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

/**
 * Reads the options of `init()`. Names each unknown option and each option of a wrong type in a warning, and ignores
 * it. Undefined and null mean the default. Options that cannot be read are missing.
 */
export function readOptions(given: Options): Settings {
  const settings = {} as Settings & Record<string, unknown>;
  attempt(() => {
    for (const [name, value] of typeof given === 'object' ? Object.entries(given) : []) {
      const type = optionTypes[name];
      if (!type) warn(4, `Unknown option ${name}. The nearest is ${nearestOption(name)}`);
      else if (value == null) continue;
      else if (typeof value === type && !Number.isNaN(value)) settings[name] = value;
      else warn(4, `Option ${name} must be of type ${type}`);
    }
    checkOptionValues(settings);
  });
  return settings;
}

/** Returns the option whose letters differ least from those of a misspelled name. */
function nearestOption(name: string): string {
  const distance = (option: string): number => countMissing(option, name) + countMissing(name, option);
  return Object.keys(optionTypes).reduce((best, option) => (distance(option) < distance(best) ? option : best));
}

/** Returns the number of letters in a word that are not in another. */
function countMissing(word: string, other: string): number {
  return [...word].filter((letter) => !other.includes(letter)).length;
}
