import type { FrameResolution } from '@service/protocol';
import { textOf } from '../parts/prose.tsx';

/** Why a frame is not readable, and what to do; empty where nothing needs to be done. */
export function tellVerdict({ result, detail }: FrameResolution): string {
  const isNameless = result === 'no_map_for_release' && detail.release === null;
  const { releases, nearest } = detail;
  return textOf(isNameless ? 'no_release' : result, { ...detail, releases: list(releases), nearest: list(nearest) });
}

const list = (names: readonly string[] = []): string => names.join(', ') || 'none';
