import { guard } from './guard.ts';
import type { Teardown } from './teardown.ts';

type Method = (...args: never[]) => unknown;
/** Receives the result of a call. Returns the result that the page gets. */
type After<Result> = (result: Result) => Result;
type Before<Patched extends Method> = (args: Parameters<Patched>, self: unknown) => After<ReturnType<Patched>> | void;

/**
 * Replaces a method by a Proxy, which keeps its name, length, `this` and `new`. `before` receives the arguments and
 * `this` of each call. It may return a function that receives the result. Does nothing without an owner: workers lack
 * some of them.
 */
export function patchMethod<Name extends string, Patched extends Method>(
  owner: { [name in Name]: Patched } | undefined,
  name: Name,
  before: Before<Patched> | undefined,
): Teardown {
  if (!owner) return;
  const original = owner[name];
  before = guard(before!);
  const patched = new Proxy(original ?? (() => {}), {
    apply(target, self, args: Parameters<Patched>) {
      const after = before?.(args, self);
      const result = Reflect.apply(target, self, args) as ReturnType<Patched>;
      return after ? after(result) : result;
    },
  });
  owner[name] = patched;
  return () => {
    // The page may have patched the method again. Then the Proxy stays in place and only passes calls on.
    before = undefined;
    if (owner[name] !== patched) return;
    // An inherited method was not the owner's own property.
    if (Reflect.get((owner as { __proto__?: object }).__proto__!, name, owner) === original)
      delete (owner as Partial<typeof owner>)[name];
    else owner[name] = original;
  };
}
