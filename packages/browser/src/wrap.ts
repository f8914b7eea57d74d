import { guard } from './guard.ts';
import type { Undo } from './undo.ts';

/**
 * Replaces a function of the page by a Proxy, which keeps its name, length, `this` and `new`. `before` sees the
 * arguments of each call; it may return a function that sees the result and returns what the page gets.
 */
export function wrap<Name extends string, Method extends (...args: never[]) => unknown>(
  owner: { [name in Name]: Method },
  name: Name,
  before: (args: Parameters<Method>, self: unknown) => ((result: ReturnType<Method>) => ReturnType<Method>) | void,
): Undo {
  const original = owner[name];
  const isOwn = Object.hasOwn?.(owner, name);
  let watch: typeof before | undefined = guard(before);
  const wrapped = new Proxy(original ?? (() => {}), {
    apply(target, self, args: Parameters<Method>) {
      const after = watch?.(args, self);
      const result = Reflect.apply(target, self, args) as ReturnType<Method>;
      return after ? after(result) : result;
    },
  });
  // An assignment would throw where the page has frozen the owner.
  Reflect.set(owner, name, wrapped);
  return () => {
    // Someone may have wrapped on top: then ours stays where it is, and does nothing.
    watch = undefined;
    if (owner[name] !== wrapped) return;
    Reflect.set(owner, name, original);
    // What comes from a prototype has not been the owner's own.
    if (isOwn === false) Reflect.deleteProperty(owner, name);
  };
}
