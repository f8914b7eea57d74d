import { randomFraction } from '../../test/test-utils/seeded-random.mjs';
import { buildShop } from './build-shop.mjs';
import { incidents, shown } from './incidents.mjs';
import { owner } from './start-server.mjs';

const hourMs = 3_600_000;
const origin = 'https://roastery.example';

/** When the releases of the shop were deployed, in hours before the moment of the screenshots. */
const releases = { '2.12.3': 730, '2.13.0': 721, '2.14.0': 217, '2.14.1': 4.7 };

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
];

/**
 * The created projects, and the id of the error whose page is shown.
 *
 * @typedef {Awaited<ReturnType<typeof fill>>} Filled
 */

/**
 * Fills the server with a month of a coffee roaster's web shop, up to the moment of the screenshots.
 *
 * @param {import('./start-server.mjs').PictureServer} server
 * @param {number} moment
 */
export async function fill(server, moment) {
  const random = randomFraction(7);
  const shop = await buildShop();
  const hoursBefore = (/** @type {number} */ hours) => server.setClock(moment - hours * hourMs);

  await hoursBefore(31 * 24);
  const projects = {
    shop: await server.call('POST', '/projects', { name: 'Shop' }),
    office: await server.call('POST', '/projects', { name: 'Back office' }),
    orders: await server.call('POST', '/projects', { name: 'Orders (Python)' }),
    // This project has no reports, so that its setup guide is shown.
    kiosk: await server.call('POST', '/projects', { name: 'Kiosk' }),
  };
  await settle(server, projects.shop.id);

  /** @type {Map<import('./incidents.mjs').Incident, number>} */
  const groupIds = new Map();
  for (const { at, act } of inOrder(random)) {
    await server.setClock(moment - at * hourMs);
    await act();
  }
  await server.setClock(moment);
  for (const [incident, groupId] of groupIds)
    if (incident.isExplained) await server.call('POST', `/errors/${groupId}/ai-summary`, {});
  return { projects, groupId: groupIds.get(shown) ?? 0 };

  /** Returns all actions in order of time. @param {() => number} chance */
  function inOrder(chance) {
    const actions = incidents.flatMap((incident) => {
      const reports = incident.when.flatMap(([from, to, times]) =>
        Array.from({ length: times }, (_, time) => {
          // The last report of a period is at its end. The others are more frequent by day than by night.
          const at = time === times - 1 ? to : wakingHour(from, to, chance);
          return { at, act: () => report(incident, at, chance) };
        }),
      );
      const { resolvedHours } = incident;
      if (resolvedHours === undefined) return reports;
      const resolve = async () => {
        await server.call('PATCH', `/errors/${groupIds.get(incident)}/status`, { status: 'resolved' });
      };
      return [...reports, { at: resolvedHours, act: resolve }];
    });
    const uploads = Object.entries(releases).map(([release, at]) => ({
      at,
      act: () => server.uploadMap(projects.shop.id, `${shop.fileOf(release)}.map`, shop.map, release),
    }));
    return [...actions, ...uploads].toSorted((one, other) => other.at - one.at);
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {() => number} chance
   */
  function wakingHour(from, to, chance) {
    for (;;) {
      const at = to + (from - to) * chance();
      const hour = new Date(moment - at * hourMs).getUTCHours();
      if (chance() < (hour > 7 && hour < 22 ? 1 : 0.15)) return at;
    }
  }

  /**
   * @param {import('./incidents.mjs').Incident} incident
   * @param {number} hours
   * @param {() => number} chance
   */
  async function report(incident, hours, chance) {
    const {
      project,
      release,
      what,
      people,
      page,
      level = 'error',
      environments = ['production'],
      steps = [],
    } = incident;
    const at = moment - hours * hourMs;
    const person = Math.floor(people * chance());
    const of = (/** @type {readonly string[]} */ list) => list[Math.floor(list.length * chance() ** 1.4)];
    const answer = await server.call('POST', '/errors', {
      project_api_key: projects[project].api_key,
      ...('handler' in what ? shop.fail(release, what.handler, what.given) : what),
      level,
      release,
      environment: of(environments),
      ...(page && { url: origin + page, user_agent: browsers[((person * 7) % 11) % browsers.length] }),
      ...(people > 0 && { user: { id: `customer-${10_000 + 37 * person}` } }),
      sdk: { name: project === 'orders' ? 'service-python' : '@service/browser', version: '0.1.0' },
      ...(steps.length > 0 && { metadata: { cart: { pieces: 1 + (person % 3), currency: 'EUR' }, language: 'en-GB' } }),
      breadcrumbs: steps.map(([before, type, category, data]) => ({
        timestamp: new Date(at - before * 1_000).toISOString(),
        type,
        category,
        data,
      })),
    });
    groupIds.set(incident, answer.error_group_id);
  }
}

/**
 * Creates the members of the team and configures the shop.
 *
 * @param {import('./start-server.mjs').PictureServer} server
 * @param {number} shopId
 */
async function settle(server, shopId) {
  for (const [name, role] of [
    ['tomas', 'owner'],
    ['ada', 'member'],
    ['support', 'viewer'],
  ])
    await server.call('POST', '/members', { email: `${name}@roastery.example`, role, password: owner.password });
  const asOwner = await server.signIn();
  await asOwner('PATCH', '/auth/me', { name: 'Maren Olsen' });
  await asOwner('POST', '/auth/tokens', { name: 'Source maps, from CI' });
  await server.call('PUT', '/origins', { origins: [origin, 'https://*.roastery.example'] });
  await server.call('PUT', `/projects/${shopId}/notifications`, {
    email: { enabled: true, to: ['web@roastery.example'] },
    webhook: { enabled: true, url: 'https://chat.roastery.example/hooks/errors', format: 'mattermost' },
  });
}
