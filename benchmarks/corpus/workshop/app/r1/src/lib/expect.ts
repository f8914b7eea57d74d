/** The value, if there is one. */
export function unwrap<T>(value: T | null | undefined, what: string): T {
  if (value == null) throw new Error(`Expected ${what}`);
  return value;
}

/** Settings that reject a name that they do not have. */
export function strict<T extends object>(settings: T): T & Record<string, any> {
  return new Proxy(settings, {
    get(target, key) {
      if (!(key in target)) throw new Error(`No setting ${String(key)}`);
      return Reflect.get(target, key);
    },
  });
}
