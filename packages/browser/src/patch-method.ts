import { guard, type Client } from './client.ts';

type Method = (...args: never[]) => unknown;
/** Receives the result of a call. Returns the result that the page gets. */
type After<Result> = (result: Result) => Result;
type Before<Patched extends Method, Self> = (
  args: Parameters<Patched>,
  self: Self,
) => After<ReturnType<Patched>> | void;

/**
 * Replaces a method by a Proxy until the client is closed. The Proxy keeps its name, length, source text, `this` and
 * `new`. `before` receives the arguments and `this` of each call. It may return a function that receives the result. Does
 * nothing where there is no owner or no such method, or where the page has locked the method.
 */
export function patchMethod<Name extends string, Patched extends Method, Self>(
  client: Client,
  owner: { [name in Name]: Patched } | undefined,
  name: Name,
  before: Before<Patched, Self>,
): void {
  const original = owner?.[name];
  // `onerror` is null without a handler.
  if (!owner || original === undefined) return;
  // The browser's own `pushState` is a method of the prototype.
  const ownProperty = Reflect.getOwnPropertyDescriptor(owner, name);
  let isActive = true;
  const patched: Patched = new Proxy(original ?? (() => {}), {
    apply(target, self: Self, args: Parameters<Patched>) {
      const after = isActive && guard(client, () => before(args, self));
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
  client.teardowns.push(() => {
    // The page may have patched the method again. Then the Proxy stays in place and only passes calls on.
    isActive = false;
    if (owner[name] !== patched) return;
    assign(original);
    if (!ownProperty) Reflect.deleteProperty(owner, name);
  });
}
