import { fingerprint, type Fingerprint, type FingerprintInput } from '../fingerprint/fingerprint.ts';
import type { ReportFacts } from '../report/read-report.ts';
import type { Services } from '../services.ts';
import { rawFrames } from '../stack/raw-frames.ts';
import type { ParsedStack } from '../stack/parsed-stack.ts';
import type { EarlierFingerprint } from './group-alias.ts';
import { earlierFingerprints } from './earlier-fingerprints.ts';
import type { BuildFacts } from '../symbolication/resolve-stack.ts';
import { symbolicate, type Symbolicated } from '../symbolication/symbolicate.ts';

/** Of a report, what says which bug it is of. */
export interface Incident {
  readonly facts: Pick<ReportFacts, 'type' | 'message' | 'url' | 'release' | 'debug_ids'>;
  readonly stack: ParsedStack;
}

/** Which group a report belongs to, and where it happened. */
export interface Identity extends Fingerprint {
  /** Only where source maps have told something. */
  earlier?: () => readonly EarlierFingerprint[];
  /** A source map that should have told something is damaged. */
  isDamaged?: boolean;
}

/**
 * Says which group a report belongs to: at once, unless there are maps to resolve its stack with. Rejects with
 * `storage_unavailable` if these can't be read now.
 */
export function identify(services: Services, projectId: number, incident: Incident): Identity | Promise<Identity> {
  if (services.store.model.mapsOf(projectId).length > 0) return identifyBySource(services, projectId, incident);
  return identifyAsTold(incident);
}

function identifyAsTold({ facts, stack }: Incident): Fingerprint {
  const { type, message, url } = facts;
  const causes = stack.causes.map((cause) => ({ ...cause, frames: rawFrames(cause.frames, url) }));
  return fingerprint({ type, message, frames: rawFrames(stack.frames, url), causes, url });
}

async function identifyBySource(services: Services, projectId: number, incident: Incident): Promise<Identity> {
  const { facts, stack } = incident;
  const { type, message, url } = facts;
  const build: BuildFacts = { projectId, release: facts.release, debugIds: facts.debug_ids, url };
  const own = await symbolicate(services, stack.frames, build);
  const causes: Symbolicated[] = [];
  for (const cause of stack.causes) causes.push(await symbolicate(services, cause.frames, build));
  const report: FingerprintInput = {
    type,
    message,
    frames: own.frames,
    causes: stack.causes.map((cause, index) => ({ ...cause, frames: causes[index]?.frames ?? [] })),
    url,
  };
  const stacks = [own, ...causes];
  const identity = { ...fingerprint(report), isDamaged: stacks.some(({ isDamaged }) => isDamaged) };
  if (stacks.every(({ used, origins }) => used.length === 0 && origins.size === 0)) return identity;
  return { ...identity, earlier: () => earlierFingerprints(report, own, causes) };
}
