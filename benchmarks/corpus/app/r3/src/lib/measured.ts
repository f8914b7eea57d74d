const marks: [name: string, milliseconds: number][] = [];

/** Notes how long something takes. */
export function measured<T>(name: string, work: () => T): T {
  const start = performance.now();
  try {
    return work();
  } finally {
    marks.push([name, performance.now() - start]);
  }
}

/** The same for a function, whenever it is called. */
export function measuring<Arguments extends unknown[], T>(
  name: string,
  run: (...given: Arguments) => T,
): (...given: Arguments) => T {
  return (...given) => measured(name, () => run(...given));
}
