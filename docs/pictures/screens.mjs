/**
 * A screen to take a screenshot of.
 *
 * @typedef {object} Screen
 * @property {string} name
 * @property {(filled: import('./fill.mjs').Filled) => string} path
 * @property {string} shows a selector that is present once the screen is loaded
 * @property {(page: import('playwright-core').Page, filled: import('./fill.mjs').Filled) => Promise<unknown>} [act]
 * @property {boolean} [isSignedOut] whether it is shown signed out
 */

/** @type {Screen[]} */
export const screens = [
  { name: 'groups', path: () => '/', shows: 'tbody tr' },
  {
    name: 'groups-filtered',
    path: ({ projects }) =>
      `/?q=${encodeURIComponent('is:all env:production checkout')}&project=${projects.shop.id}&sort=count`,
    shows: 'tbody tr',
  },
  {
    name: 'groups-selected',
    path: () => '/?sort=users',
    shows: 'tbody tr',
    async act(page) {
      for (const index of [1, 3, 4]) await page.locator('tbody input').nth(index).check();
    },
  },
  { name: 'group', path: ({ groupId }) => `/groups/${groupId}`, shows: '.failing' },
  {
    name: 'group-stack',
    path: ({ groupId }) => `/groups/${groupId}`,
    shows: '.frames',
    act: (page) => below(page, '#stack, .frames'),
  },
  {
    name: 'group-explained',
    path: ({ groupId }) => `/groups/${groupId}`,
    shows: '.markdown',
    act: (page) => below(page, '.explanation'),
  },
  {
    name: 'copy',
    path: ({ groupId }) => `/groups/${groupId}`,
    shows: '.failing',
    async act(page) {
      await page.keyboard.press('c');
      await page.getByRole('button', { name: 'As a prompt' }).waitFor();
    },
  },
  {
    name: 'first-steps',
    path: ({ projects }) => `/projects/${projects.kiosk.id}/start`,
    shows: 'text=Waiting for the first report',
  },
  { name: 'projects', path: () => '/projects', shows: '.cards li' },
  { name: 'settings', path: ({ projects }) => `/projects/${projects.shop.id}/settings`, shows: 'text=Rotate the key' },
  {
    name: 'source-maps',
    path: ({ projects }) => `/projects/${projects.shop.id}/source-maps`,
    shows: '.release tbody tr',
  },
  {
    name: 'notifications',
    path: ({ projects }) => `/projects/${projects.shop.id}/notifications`,
    shows: 'text=Send to Slack or Mattermost',
  },
  { name: 'origins', path: ({ projects }) => `/projects/${projects.shop.id}/origins`, shows: 'textarea' },
  { name: 'usage', path: () => '/usage', shows: '.meter' },
  { name: 'team', path: () => '/team', shows: '.people tbody tr' },
  { name: 'account', path: () => '/tokens', shows: 'text=Change password' },
  { name: 'shortcuts', path: () => '/#shortcuts', shows: 'dialog kbd' },
  {
    name: 'register',
    path: () => '/register',
    shows: 'text=Create an account',
    isSignedOut: true,
  },
  { name: 'sign-in', path: () => '/', shows: 'text=Password', isSignedOut: true },
];

/**
 * Scrolls an element to the top of the page.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 */
async function below(page, selector) {
  await page
    .locator(selector)
    .first()
    .evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 24));
}
