import { normalEntries, originRule } from './origin-entry.ts';
import type { Model } from '../store/model/model.ts';
import type { SettingRecord } from '../store/records/setting-records.ts';

/** The id of the setting that stores the entries set through the API, as JSON. */
export const originsSetting = 'origins';

/** The origins that may send reports: entries of the settings plus entries set through the API. */
export class AllowList {
  readonly fromSettings: readonly string[];
  readonly #model: Model;
  /** The record that the rule was compiled from. The rule is compiled again only when the record changes. */
  #compiledFrom: SettingRecord | undefined;
  #rule: (origin: string) => boolean;

  constructor(fromSettings: readonly string[], model: Model) {
    this.fromSettings = normalEntries(fromSettings);
    this.#model = model;
    this.#compiledFrom = this.#record;
    this.#rule = this.#compileRule();
  }

  get atRunTime(): string[] {
    return this.#record ? (JSON.parse(this.#record.value) as string[]) : [];
  }

  allows(origin: string): boolean {
    if (this.#record !== this.#compiledFrom) {
      this.#compiledFrom = this.#record;
      this.#rule = this.#compileRule();
    }
    return this.#rule(origin);
  }

  get #record(): SettingRecord | undefined {
    return this.#model.tables.settings.get(originsSetting);
  }

  #compileRule(): (origin: string) => boolean {
    return originRule([...this.fromSettings, ...this.atRunTime]);
  }
}
