import { apiPrefix, paths } from '@service/protocol';
import type { H3Event } from 'h3';
import type { Store } from '../store/store.ts';

const writingMethods = new Set(['POST', 'PUT', 'PATCH']);

/** Requests that delete something, or that sign in a user who wants to. */
const allowedPaths = new Set(
  [paths.deleteMe, paths.deleteTeam, paths.login, paths.refresh, paths.session, paths.useLink, paths.logout].map(
    (path) => apiPrefix + path,
  ),
);

/**
 * Rejects a request with `storage_unavailable` if it may write and the rest of the storage is reserved for deletions.
 * Reports and uploads are rejected earlier, when they are stored.
 */
export async function assertStorageWritable({ req, url }: H3Event, { room }: Pick<Store, 'room'>): Promise<void> {
  if (!room.isFull || !writingMethods.has(req.method) || allowedPaths.has(url.pathname)) return;
  await room.recheck();
  room.assertWritable();
}
