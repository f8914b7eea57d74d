import { guard } from './guard.ts';
import type { Undo } from './undo.ts';

type Method = (...args: never[]) => unknown;
/** Sees the result of a call, and returns what the page gets. */
type After<Result> = (result: Result) => Result;
type Before<Of extends Method> = (args: Parameters<Of>, self: unknown) => After<ReturnType<Of>> | void;

/**
 * Replaces a function of the page by a Proxy, which keeps its name, length, `this` and `new`. `before` sees the
 * arguments of each call and what it is called on; it may return a function that sees the result. Where there is no
 * owner, as in workers, there is nothing to do.
 */
export function wrap<Name extends string, Of extends Method>(
  owner: { [name in Name]: Of } | undefined,
  name: Name,
  before: Before<Of> | undefined,
): Undo {
  if (!owner) return;
  const original = owner[name];
  before = guard(before!);
  const wrapped = new Proxy(original ?? (() => {}), {
    apply(target, self, args: Parameters<Of>) {
      const after = before?.(args, self);
      const result = Reflect.apply(target, self, args) as ReturnType<Of>;
      return after ? after(result) : result;
    },
  });
  owner[name] = wrapped;
  return () => {
    // Someone may have wrapped on top: then ours stays where it is, and does nothing.
    before = undefined;
    if (owner[name] !== wrapped) return;
    // What comes from a prototype has not been the owner's own.
    if (Reflect.get((owner as { __proto__?: object }).__proto__!, name, owner) === original)
      delete (owner as Partial<typeof owner>)[name];
    else owner[name] = original;
  };
}
