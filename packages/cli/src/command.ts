import type { Output } from './output.ts';

/**
 * The operands of all commands, with their help. The last operand of a command may end in `…`: it can be repeated.
 * Optional ones are in brackets.
 */
export const operandTexts = {
  'DIR…': 'Folders that the build has written, or scripts',
  NAME: 'Name of the project',
  PROJECT: 'Id or name of the project',
  GROUP: 'Id of an error group, or the address of its page',
  '[GROUP]': 'Id of an error group',
  '[ID…]': 'Ids of source maps',
  '[PAGE]': 'URL of a page that sends reports',
} as const;

type OperandName = keyof typeof operandTexts;

/** The options of all commands. A command accepts those that it lists, and `json`. */
export const optionTypes = {
  endpoint: {
    type: 'string',
    hint: 'URL',
    text: 'URL of the server; default: SERVICE_ENDPOINT, else that of the login',
  },
  project: {
    type: 'string',
    hint: 'NAME',
    text: 'Id or name of the project; default: SERVICE_PROJECT, else the only one',
  },
  release: {
    type: 'string',
    hint: 'RELEASE',
    text: 'Release of the build; default: SERVICE_RELEASE, else the commit',
  },
  'dist-url': {
    type: 'string',
    hint: 'PREFIX',
    text: 'Where the folder is served, such as https://cdn.example/app/ or /app/; default: any path',
  },
  environment: { type: 'string', hint: 'NAME', text: 'Only errors of this environment' },
  level: { type: 'string', hint: 'LEVEL', text: 'Only errors of this level' },
  search: { type: 'string', hint: 'TEXT', text: 'Only errors whose type, message or culprit contains this text' },
  origin: { type: 'string', hint: 'ORIGIN', text: 'Check reports from this origin; default: that of the page' },
  key: { type: 'string', hint: 'KEY', text: 'Check this API key; default: that of the project' },
  yes: { type: 'boolean', hint: '', text: 'Do not ask for confirmation' },
  json: { type: 'boolean', hint: '', text: 'Print the result as JSON' },
} as const;

export type OptionName = keyof typeof optionTypes;

/** The options as they were typed. */
export type Options = {
  [Name in OptionName]?: (typeof optionTypes)[Name]['type'] extends 'string' ? string : boolean;
};

/** The arguments, environment and output of a command. */
export interface CommandContext {
  operands: readonly string[];
  options: Options;
  env: NodeJS.ProcessEnv;
  output: Output;
}

export interface Command {
  summary: string;
  operands?: readonly OperandName[];
  options?: readonly OptionName[];
  /** The help of options that mean something else for this command. */
  optionTexts?: Partial<Record<OptionName, string>>;
  /** Loads the function that runs the command. Its promise resolves once the command is done. */
  load(): Promise<(context: CommandContext) => Promise<void>>;
}
