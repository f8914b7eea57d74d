/**
 * A package that `npm start` needs, with the outputs of its build, and the inputs outside of its folder. Paths are
 * relative to the root of the repository.
 * @typedef {{ name: string, folder: string, outputs: string[], inputs?: string[] }} Package
 */

/** @type {Package[]} */
export const packages = [
  { name: '@service/protocol', folder: 'packages/protocol', outputs: [] },
  {
    name: '@service/browser',
    folder: 'packages/browser',
    outputs: ['packages/browser/dist', 'packages/browser/docs'],
    inputs: ['docs/sdk/troubleshooting.md'],
  },
  { name: '@service/dashboard', folder: 'packages/dashboard', outputs: ['packages/server/public/dashboard'] },
  {
    name: '@service/server',
    folder: 'packages/server',
    outputs: ['packages/server/dist', 'packages/server/public/packages'],
  },
  { name: 'demo', folder: 'examples/demo', outputs: ['examples/demo/dist'] },
];
