import type { Scene } from '../scene.ts';

/** One line of the table: something that the SDK promises, and the cases in which every engine has to show it. */
export interface Promised {
  promise: string;
  cases: Record<string, (scene: Scene) => Promise<void>>;
}
