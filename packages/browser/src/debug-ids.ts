import { fileOf } from './file-of.ts';
import type { Report } from './report.ts';

declare global {
  var __serviceDebugIds: Record<string, string> | undefined;
}

/** Adds the debug ids that bundles have registered for the scripts of a stack: `{ [stack of the script]: id }`. */
export function addDebugIds(report: Report): void {
  for (const made in self.__serviceDebugIds) {
    const file = fileOf(made);
    if (file && (report.stacktrace + '').includes(file + ':'))
      (report.debug_ids ??= {})[file] = self.__serviceDebugIds[made]!;
  }
}
