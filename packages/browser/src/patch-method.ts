import { attempt } from './attempt.ts';
import type { Client } from './client.ts';

type Method = (...args: never[]) => unknown;
/** Receives the result of a call. Returns the result that the page gets. */
type After<Result> = (result: Result) => Result;
type Before<Patched extends Method> = (args: Parameters<Patched>, self: unknown) => After<ReturnType<Patched>> | void;

/**
 * Replaces a method by a Proxy until the client is closed. The Proxy keeps its name, length, source text, `this` and
 * `new`. `before` receives the arguments and `this` of each call; what it throws is ignored. It may return a function
 * that receives the result. Does nothing where there is no owner or no such method: pages look for methods and bring
 * their own. Does nothing where the page has locked the method.
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
  // The browser's own `pushState` is a method of the prototype.
  const ownProperty = Reflect.getOwnPropertyDescriptor(owner, name);
  let isActive = true;
  const patched: Patched = new Proxy(original ?? (() => {}), {
    apply(target, self, args: Parameters<Patched>) {
      const after = isActive && attempt(() => before(args, self));
      const result = Reflect.apply(target, self, args) as ReturnType<Patched>;
      return after ? after(result) : result;
    },
    // Chrome writes a Proxy without its name.
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
