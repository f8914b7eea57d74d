import { limits } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import * as z from 'zod';
import type { Caller } from '../accounts/caller.ts';
import { assertMayWrite } from '../accounts/permissions.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody } from '../http/body.ts';
import { readForm } from '../http/multipart.ts';
import { noSuchPath } from '../http/no-such-path.ts';
import { setRequestTimeout } from '../http/request-timeout.ts';
import { ArtifactUploads } from '../sentry-uploads/artifact-uploads.ts';
import { chunkBytes } from '../sentry-uploads/chunk-store.ts';
import { findNamedProjects } from '../sentry-uploads/named-projects.ts';
import type { Services } from '../services.ts';

const chunkTimeMs = 300_000;

const sha1 = z.string().regex(/^[\da-f]{40}$/i);
/** Tools send more fields, which change with their version. */
const AssembleInput = z.object({
  checksum: sha1,
  chunks: z.array(sha1).max(64),
  projects: z.array(z.coerce.string().max(limits.projectNameChars)).max(100).nullish(),
  version: z.string().max(limits.releaseChars).nullish(),
});
const ReleaseInput = z.object({ version: z.string().max(limits.releaseChars) });
const DeployInput = z.object({ environment: z.string().max(limits.environmentChars) });

/**
 * The endpoints of `sentry-cli` and of Sentry's plugins for bundlers, for source maps. They are no part of the API:
 * Sentry defines them. Releases exist only as names in source maps and reports, so their endpoints, and that of
 * deploys, store nothing.
 */
export function sentryUploadRoutes(app: H3, services: Services): void {
  const uploads = new ArtifactUploads(services);
  const organization = '/api/0/organizations/:organization';
  const form = { file: 'file', fileBytes: chunkBytes, fields: {} };

  app.get('/api/0', async (event) => {
    await authenticate(services, event);
    return { version: '0', user: null, auth: { scopes: ['org:ci'] } };
  });

  app.get(`${organization}/chunk-upload`, async (event) => {
    await authenticateTool(services, event);
    return uploadOptions(uploadUrl(services, event));
  });

  app.post(`${organization}/chunk-upload`, async (event) => {
    const caller = await authenticateTool(services, event);
    setRequestTimeout(event, chunkTimeMs);
    const upload = services.uploadBudget.begin(caller.teamId);
    try {
      const { file, fileName } = await readForm(event, {
        ...form,
        process: (pieces) => uploads.receiveChunk(upload, pieces),
        discard: (chunk) => chunk.file.close(),
        isBudgetFull: () => services.uploadBudget.isFull(caller.teamId),
        signal: upload.signal,
      });
      await uploads.addChunk(caller, file, fileName);
      return {};
    } finally {
      upload.release();
    }
  });

  app.post(`${organization}/artifactbundle/assemble`, async (event) => {
    const caller = await authenticateTool(services, event);
    const { checksum, chunks, projects, version } = await readBody(event, AssembleInput);
    const found = findNamedProjects(services, caller, projects ?? []);
    return uploads.assemble(caller, { checksum, chunks, release: version || null, projects: found });
  });

  // Older versions of the tools name the project in the path.
  for (const releases of [`${organization}/releases`, '/api/0/projects/:organization/:project/releases']) {
    app.post(releases, async (event) => {
      await authenticateTool(services, event);
      const { version } = await readBody(event, ReleaseInput);
      event.res.status = 201;
      return releaseOf(services, version);
    });
    const respondWithRelease = async (event: H3Event): Promise<object> => {
      await authenticateTool(services, event);
      const [, version = ''] = /\/releases\/(.+?)\/?$/.exec(event.url.pathname) ?? [];
      if (otherEndpoints.test(version)) return noSuchPath();
      return releaseOf(services, decoded(version));
    };
    app.post(`${releases}/**`, async (event) => {
      await authenticateTool(services, event);
      if (!/\/deploys\/?$/.test(event.url.pathname)) return noSuchPath();
      const { environment } = await readBody(event, DeployInput);
      event.res.status = 201;
      return { environment, name: null, url: null, dateStarted: null, dateFinished: nowText(services) };
    });
    app.get(`${releases}/**`, respondWithRelease);
    app.put(`${releases}/**`, respondWithRelease);
  }
}

/** The endpoints below a release that Sentry has and this server does not. */
const otherEndpoints = /\/(?:assemble|commits|deploys|files|previous-with-commits|repositories)$/;

/** Resolves with the caller. Rejects if the caller may not upload source maps. Tools send a personal access token. */
async function authenticateTool(services: Services, event: H3Event): Promise<Caller> {
  const caller = await authenticate(services, event);
  assertMayWrite(caller);
  return caller;
}

/**
 * Returns the URL for chunks. `sentry-cli` 2 and 3 append a relative one to their own URL of the server, which may
 * differ from `baseUrl`. Other tools need an absolute one.
 */
function uploadUrl({ baseUrl }: Services, event: H3Event): string {
  const organization = encodeURIComponent(event.context.params?.organization ?? '');
  const path = `organizations/${organization}/chunk-upload/`;
  const tool = event.req.headers.get('user-agent') ?? '';
  return /^sentry-cli\/[23]\./.test(tool) ? path : `${baseUrl}/api/0/${path}`;
}

/** Returns the options of an upload for the tools. */
function uploadOptions(url: string): object {
  return {
    url,
    chunkSize: chunkBytes,
    chunksPerRequest: 1,
    maxRequestSize: chunkBytes,
    maxFileSize: 256 * 1024 * 1024,
    concurrency: 2,
    hashAlgorithm: 'sha1',
    compression: [],
    accept: ['release_files', 'artifact_bundles', 'artifact_bundles_v2'],
  };
}

function releaseOf(services: Services, version: string): object {
  return { version, dateCreated: nowText(services), projects: [], url: null, newGroups: 0 };
}

function nowText({ now }: Services): string {
  return new Date(now()).toISOString();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
