import { attempt } from './guard.ts';
import type { Options, Settings } from './options.ts';
import { warn } from './warn.ts';

const optionNames = {
  string: ['apiKey', 'endpoint', 'environment', 'release'],
  function: ['beforeSend', 'beforeBreadcrumb', 'transport'],
  object: ['ignoreErrors', 'allowUrls', 'denyUrls', 'ignore', 'breadcrumbs', 'integrations'],
  number: ['sampleRate', 'maxBreadcrumbs'],
  boolean: ['sendUserDetails', 'debug'],
} satisfies Record<string, (keyof Options)[]>;

/** The type of each option, as `typeof` names it. */
const optionTypes: Record<string, string> = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(optionNames).flatMap(([type, names]) => names.map((name) => [name, type])),
);

/**
 * Reads the options of `init()`. Names each unknown option and each option of a wrong type in a warning, and ignores it.
 * Undefined and null are the default. Options that cannot be read are missing.
 */
export function readOptions(given: Options): Settings {
  const settings: Record<string, unknown> & Settings = { apiKey: '', endpoint: '' };
  attempt(() => {
    for (const [name, value] of typeof given === 'object' ? Object.entries(given) : []) {
      const type = optionTypes[name];
      if (typeof value === type) settings[name] = value;
      else if (!type) warn(4, `Unknown option ${name}. Did you mean ${nearestOption(name)}?`);
      else if (value != null) warn(4, `Option ${name} must be a ${type}`);
    }
  });
  return settings;
}

/** Returns the option that has most letters in common with a misspelled name. */
function nearestOption(name: string): string {
  const missing = (from: string, text: string): number => [...from].filter((letter) => !text.includes(letter)).length;
  const distance = (option: string): number => missing(option, name) + missing(name, option);
  return Object.keys(optionTypes).toSorted((one, other) => distance(one) - distance(other))[0] ?? '';
}
