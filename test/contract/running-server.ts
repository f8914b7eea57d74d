import type { ConfigInput } from '../../packages/server/src/index.ts';
import type { Json } from './answer.ts';
import { adminPassword, type Opened, type Place } from './places.ts';
import { adminToken, sandboxSecret } from './scene.ts';

/** A server at a place, which may be stopped and started again. */
export class RunningServer {
  readonly folder: string | null;
  readonly isLasting: boolean;
  readonly place: Place;
  opened: Opened;
  /** People of its teams that are the same to all tests, by their role. */
  readonly people = new Map<string, Promise<Json>>();
  readonly #restart: (settings: ConfigInput) => Promise<Opened>;
  readonly #remove: () => Promise<void>;

  private constructor(
    place: Place,
    folder: string | null,
    opened: Opened,
    restart: (settings: ConfigInput) => Promise<Opened>,
    remove: () => Promise<void>,
  ) {
    this.folder = folder;
    this.isLasting = place.isLasting;
    this.place = place;
    this.opened = opened;
    this.#restart = restart;
    this.#remove = remove;
  }

  static async start(place: Place, settings: ConfigInput): Promise<RunningServer> {
    const { address, folder, remove } = await place.storage();
    const open = (more: ConfigInput): Promise<Opened> =>
      place.open(address, {
        adminToken,
        adminPassword,
        logLevel: 'silent',
        registration: 'open',
        sandboxSecret,
        ...settings,
        ...more,
      });
    return new RunningServer(place, folder, await open({}), open, remove);
  }

  async restart(settings: ConfigInput): Promise<void> {
    await this.opened.close();
    this.opened = await this.#restart(settings);
  }

  async end(): Promise<void> {
    await this.opened.close();
    await this.#remove();
  }
}
