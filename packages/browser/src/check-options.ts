/**
 * Removes the options that cannot be used, with a warning for each. Does nothing here: the `development` build replaces
 * this module by check-options.development.ts.
 */
export function checkOptions<Given extends object>(options: Given): Given {
  return options;
}
