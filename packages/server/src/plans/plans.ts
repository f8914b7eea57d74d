import type { Plan } from '@service/protocol';

/** The default plan of a self-hosted server: no limits, free of charge. */
export const selfHosted: Plan = {
  id: 'self_hosted',
  name: 'Self-hosted',
  price: 0,
  currency: 'EUR',
  error_quota: null,
  ai_quota: null,
};

/** All plans of this server, and the plan of each team. */
export class Plans {
  /** In the order of the setting. */
  readonly all: readonly Plan[];
  readonly #byId: ReadonlyMap<string, Plan>;
  readonly #defaultId: string;

  constructor(config: { plan: string; plans: readonly Plan[]; errorQuota: number | null; aiQuota: number | null }) {
    const { plan: defaultId, plans, errorQuota, aiQuota } = config;
    // Listed only if it is the default: otherwise teams could switch to it for free instead of paying for another.
    const isBuiltIn = defaultId === selfHosted.id && !plans.some(({ id }) => id === defaultId);
    this.all = (isBuiltIn ? [selfHosted, ...plans] : plans).map((plan) =>
      plan.id === defaultId
        ? { ...plan, error_quota: errorQuota ?? plan.error_quota, ai_quota: aiQuota ?? plan.ai_quota }
        : plan,
    );
    this.#byId = new Map(this.all.map((plan) => [plan.id, plan]));
    this.#defaultId = defaultId;
  }

  find(id: string): Plan | undefined {
    return this.#byId.get(id);
  }

  /** Returns the plan of a team; the default plan if it has none, or one that was removed from the settings. */
  of(team: { plan?: string } | undefined): Plan {
    return this.#byId.get(team?.plan ?? this.#defaultId) ?? this.#byId.get(this.#defaultId) ?? selfHosted;
  }
}
