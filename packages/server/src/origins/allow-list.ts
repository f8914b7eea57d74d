import { normalEntries, originRule } from './origin-entry.ts';
import type { Model } from '../store/model/model.ts';
import type { SettingRecord } from '../store/records/records.ts';

/** Name of the setting that holds the entries made at run time, as JSON. */
export const originsSetting = 'origins';

/** Which origins' pages may send reports: those of the settings, and those that were added at run time. */
export class AllowList {
  readonly fromSettings: readonly string[];
  readonly #model: Model;
  /** What the rule was made of: it is made anew only when the list has changed. */
  #madeOf: SettingRecord | undefined;
  #rule: (origin: string) => boolean;

  constructor(fromSettings: readonly string[], model: Model) {
    this.fromSettings = normalEntries(fromSettings);
    this.#model = model;
    this.#madeOf = this.#record;
    this.#rule = this.#makeRule();
  }

  get atRunTime(): string[] {
    return this.#record ? (JSON.parse(this.#record.value) as string[]) : [];
  }

  allows(origin: string): boolean {
    if (this.#record !== this.#madeOf) {
      this.#madeOf = this.#record;
      this.#rule = this.#makeRule();
    }
    return this.#rule(origin);
  }

  get #record(): SettingRecord | undefined {
    return this.#model.tables.settings.get(originsSetting);
  }

  #makeRule(): (origin: string) => boolean {
    return originRule([...this.fromSettings, ...this.atRunTime]);
  }
}
