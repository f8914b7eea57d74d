import type { ListedSourceMap, Page, Project, SourceMapUsage } from '@service/protocol';
import { useLayoutEffect } from 'preact/hooks';
import { useLoad } from '../../api/use-load.ts';
import { Snippet } from '../../components/snippet.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { currentPage, Pager } from '../../components/pager.tsx';
import { Table } from '../../components/table.tsx';
import { DateTime, TimeAgo } from '../../components/time.tsx';
import { formatBytes } from '../../format/bytes.ts';
import { formatNumber } from '../../format/count.ts';
import { onEvent } from '../../live/live-events.ts';
import { canWrite } from '../../session/permissions.ts';
import { SourceMapUpload } from './source-map-upload.tsx';

const mapColumns = [
  { title: 'File' },
  { title: 'Size', class: 'number' },
  { title: 'Sources', class: 'number sources' },
  { title: 'Uploaded', class: 'when' },
  { title: 'Last used', class: 'when' },
  { title: 'Delete', class: 'act', isHidden: true },
];

const mapDeletionWarning = 'Stacks that used this map will be minified again until you upload it again.';

/** The source maps of a project by release, with the time of their last use. */
export function SourceMaps({ project: { id } }: { project: Project }) {
  const path = `/projects/${id}/source-maps`;
  const page = currentPage();
  const load = useLoad<Page<ListedSourceMap>>(`${path}?page=${page}`);
  useLayoutEffect(
    () => onEvent((event) => event.type === 'project.updated' && event.project_id === id && load.reload()),
    [id, page],
  );
  return (
    <div class="sections">
      <Loaded load={load}>
        {({ items, pages }) => (
          <section>
            <MapUsage key={items.length} />
            {items.length === 0 && (
              <div class="empty">
                <h2>No source maps yet</h2>
                <p>Source maps make minified stack traces readable, also those of earlier reports.</p>
              </div>
            )}
            {Array.from(
              Map.groupBy(items, ({ release }) => release ?? 'No release'),
              ([release, maps]) => (
                <Release key={release} release={release} maps={maps} path={path} onDeleted={load.reload} />
              ),
            )}
            <Pager pages={pages} />
          </section>
        )}
      </Loaded>
      {canWrite() && (
        <>
          <SourceMapUpload path={path} onUploaded={load.reload} />
          <section>
            <hgroup>
              <h2>Upload from CI</h2>
              <p>
                Run this for every release, with a <a href="/tokens">token</a>:
              </p>
            </hgroup>
            <Snippet name="Command that uploads a source map" text={uploadCommand(path)} />
          </section>
        </>
      )}
    </div>
  );
}

/** The size of all maps of the team, and when unused ones are deleted. */
function MapUsage() {
  const { value } = useLoad<SourceMapUsage>('/source-maps/usage');
  if (!value) return null;
  return (
    <p class="soft">
      All projects of the team: {formatBytes(value.bytes)} of {formatBytes(value.max_bytes)}, stored compressed. Maps
      that resolve no stack for {value.expire_days} days are deleted.
    </p>
  );
}

const uploadCommand = (path: string): string => `curl ${location.origin}/api/v1${path} \\
  -H "Authorization: Bearer $TOKEN" \\
  -F file=@dist/app.js.map -F release=1.2.0`;

interface ReleaseProps {
  release: string;
  maps: ListedSourceMap[];
  path: string;
  onDeleted(): void;
}

function Release({ release, maps, path, onDeleted }: ReleaseProps) {
  return (
    <div class="release">
      <h2 dir="auto">{release}</h2>
      <Table columns={mapColumns}>
        {maps.map(({ id, file, url, debug_id, size, sources, created_at, last_used_at }) => (
          <tr key={id}>
            <td class="what" dir="auto">
              {file}
              {(url ?? debug_id) && <p>{url ?? `debug ID ${debug_id}`}</p>}
            </td>
            <td class="number">{formatBytes(size)}</td>
            <td class="number sources">{formatNumber(sources)}</td>
            <td class="when">
              <DateTime at={created_at} />
            </td>
            <td class="when">{last_used_at ? <TimeAgo at={last_used_at} suffix=" ago" /> : 'never'}</td>
            <td class="act">
              {canWrite() && (
                <DeleteButton name={file} path={`${path}/${id}`} warning={mapDeletionWarning} onDeleted={onDeleted} />
              )}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
