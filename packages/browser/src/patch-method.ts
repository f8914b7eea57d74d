import { attempt } from './attempt.ts';
import type { Client } from './client.ts';

type Method = (...args: never[]) => unknown;
/** Receives the result of a call. Returns the result that the page gets. */
type After<Result> = (result: Result) => Result;
type Before<Patched extends Method> = (args: Parameters<Patched>, self: unknown) => After<ReturnType<Patched>> | void;

/**
 * Replaces a method by a Proxy until the client is closed. The Proxy preserves name, length, source text, `this` and
 * `new`. `before` receives the arguments and `this` of each call; what it throws is ignored. It may return a function
 * that receives the result. Does nothing if the owner or the method is missing, because pages test whether a method
 * exists and define their own. Does nothing if the page has locked the method.
 */
export function patchMethod<Name extends string, Patched extends Method>(
  { teardowns }: Client,
  owner: { [name in Name]: Patched } | undefined,
  name: Name,
  before: Before<Patched>,
): void {
  const original = owner?.[name];
  // `onerror` is null without a handler.
  if (!owner || original === undefined) return;
  // The browser's own `pushState` is a method of the prototype, so `history` has no such property.
  const ownProperty = Reflect.getOwnPropertyDescriptor(owner, name);
  let isActive = true;
  const patched: Patched = new Proxy(original ?? (() => {}), {
    apply(target, self, args: Parameters<Patched>) {
      const after = isActive && attempt(() => before(args, self));
      const result = Reflect.apply(target, self, args) as ReturnType<Patched>;
      return after ? after(result) : result;
    },
    // Chrome converts a Proxy to a text without the name of the function.
    get: (target, key) => (key === 'toString' ? () => String(target) : Reflect.get(target, key)),
  });

  const assign = (method: Patched): boolean =>
    // msw makes `fetch` read-only.
    Reflect.set(owner, name, method) || Reflect.defineProperty(owner, name, { value: method });

  assign(patched);
  teardowns.push(() => {
    // The page may have patched the method again. Then the Proxy stays in place and only passes calls on.
    isActive = false;
    if (owner[name] !== patched) return;
    assign(original);
    if (!ownProperty) Reflect.deleteProperty(owner, name);
  });
}
