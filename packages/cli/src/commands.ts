import type { Command } from './command.ts';

/** All commands by their name on the command line. Each is loaded when it runs. */
export const commands: Readonly<Record<string, Command>> = {
  login: {
    summary: 'Sign in with a personal access token, read from the terminal or from standard input',
    options: ['endpoint'],
    load: async () => (await import('./commands/account.ts')).login,
  },
  logout: { summary: 'Forget the token', load: async () => (await import('./commands/account.ts')).logout },
  whoami: {
    summary: 'Show the server and the account',
    options: ['endpoint'],
    load: async () => (await import('./commands/account.ts')).whoAmI,
  },
  'projects list': {
    summary: 'List the projects and their keys',
    options: ['endpoint'],
    load: async () => (await import('./commands/projects.ts')).listProjects,
  },
  'projects create': {
    summary: 'Create a project',
    operands: ['NAME'],
    options: ['endpoint'],
    load: async () => (await import('./commands/projects.ts')).createProject,
  },
  'projects rotate-key': {
    summary: 'Replace the API key of a project; the old one stops working at once',
    operands: ['PROJECT'],
    options: ['endpoint', 'yes'],
    load: async () => (await import('./commands/projects.ts')).rotateKey,
  },
  open: {
    summary: 'Open the dashboard, or an error group, in the browser',
    operands: ['[GROUP]'],
    options: ['endpoint'],
    load: async () => (await import('./commands/open.ts')).open,
  },
  'sourcemaps upload': {
    summary: 'Upload the source maps of a build, and prove that each works',
    operands: ['DIR…'],
    options: ['release', 'dist-url', 'project', 'endpoint'],
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  'sourcemaps inject': {
    summary: 'Give the scripts of a build and their maps debug ids',
    operands: ['DIR…'],
    load: async () => (await import('./commands/inject.ts')).inject,
  },
  'sourcemaps list': {
    summary: 'List the uploaded source maps',
    options: ['release', 'project', 'endpoint'],
    optionTexts: { release: 'Only source maps of this release' },
    load: async () => (await import('./commands/sourcemaps.ts')).listMaps,
  },
  'sourcemaps explain': {
    summary: 'Explain for each frame of an error how it was resolved, or why not',
    operands: ['GROUP'],
    options: ['endpoint'],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  'sourcemaps delete': {
    summary: 'Delete source maps by id, or all of a release',
    operands: ['[ID…]'],
    options: ['release', 'project', 'endpoint', 'yes'],
    optionTexts: { release: 'Delete all source maps of this release' },
    load: async () => (await import('./commands/sourcemaps.ts')).deleteMaps,
  },
  explain: {
    summary: 'The same as sourcemaps explain',
    operands: ['GROUP'],
    options: ['endpoint'],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  doctor: {
    summary: 'Find what keeps errors from arriving or from being readable',
    operands: ['[PAGE]'],
    options: ['project', 'release', 'origin', 'key', 'endpoint'],
    optionTexts: { release: 'Check only this release; default: the newest ones of the reports' },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  tail: {
    summary: 'Print errors as they happen',
    options: ['project', 'environment', 'release', 'level', 'search', 'endpoint'],
    optionTexts: {
      project: 'Id or name of the project; default: SERVICE_PROJECT, else all',
      release: 'Only errors last seen in this release',
    },
    load: async () => (await import('./commands/tail.ts')).tail,
  },
};
