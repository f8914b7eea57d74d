import type { FrameResolution } from '@service/protocol';
import { textOf } from '../../components/prose.tsx';

/** Why the source of a frame is not shown, and what to do about it; empty for a frame that is resolved. */
export function tellVerdict({ result, detail }: FrameResolution): string {
  const isNameless = result === 'no_map_for_release' && detail.release === null;
  const { releases, nearest } = detail;
  return textOf(isNameless ? 'no_release' : result, { ...detail, releases: list(releases), nearest: list(nearest) });
}

/** Whether a source map is missing or wrong. The other frames are as readable as they can be. */
export function needsAction({ result }: FrameResolution): boolean {
  return !['resolved', 'not_minified', 'no_location', 'third_party'].includes(result);
}

const list = (names: readonly string[] = []): string => names.join(', ') || 'none';
