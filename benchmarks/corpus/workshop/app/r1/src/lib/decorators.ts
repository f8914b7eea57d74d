import { PermissionError } from './errors.ts';
import { show } from './show.ts';

export const session = { role: 'mechanic' };

/** Only this role may call the method. */
export function guarded(role: string) {
  return (_target: object, name: string, descriptor: PropertyDescriptor): void => {
    const method = descriptor.value as (...args: unknown[]) => unknown;
    descriptor.value = function (this: unknown, ...args: unknown[]) {
      if (session.role !== role) throw new PermissionError(`A ${session.role} may not do this`);
      show(name);
      return method.apply(this, args);
    };
  };
}

/** Measures the method. */
export function timed(_target: object, name: string, descriptor: PropertyDescriptor): void {
  const method = descriptor.value as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]) {
    const start = performance.now();
    try {
      return method.apply(this, args);
    } finally {
      show(`${name} took ${performance.now() - start}`);
    }
  };
}

/** The numbers that a property accepts. */
export function range(low: number, high: number) {
  return (target: object, name: string): void => {
    const key = Symbol(name);
    Object.defineProperty(target, name, {
      get(this: Record<symbol, number>) {
        return this[key];
      },
      set(this: Record<symbol, number>, value: number) {
        if (value < low || value > high) throw new RangeError(`${value} is not between ${low} and ${high}`);
        this[key] = value;
      },
    });
  };
}
