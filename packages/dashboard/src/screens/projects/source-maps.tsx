import { useLayoutEffect } from 'preact/hooks';
import type { ListedSourceMap, Page, Project } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { listen } from '../../live/live.ts';
import { Snippet } from '../../components/copy.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { pageOf, Pager } from '../../components/pager.tsx';
import { Prose, textOf } from '../../components/prose.tsx';
import { Remove } from '../../components/delete-button.tsx';
import { Table } from '../../components/table.tsx';
import { Ago, At } from '../../components/time.tsx';
import { mayWrite } from '../../session/session.ts';
import { Upload } from './source-map-upload.tsx';

/** Source maps by release: which there are, how big, and whether a frame ever needed them. */
export function SourceMaps({ project: { id } }: { project: Project }) {
  const path = `/projects/${id}/source-maps`;
  const load = useLoad<Page<ListedSourceMap>>(`${path}?page=${pageOf()}`);
  useLayoutEffect(() =>
    listen((event) => event.type === 'project.updated' && event.project_id === id && load.reload()),
  );
  return (
    <div class="sections">
      <Loaded of={load}>
        {({ items, pages }) => (
          <section>
            {items.length === 0 && <Prose id="maps" />}
            {Array.from(
              Map.groupBy(items, ({ release }) => release ?? 'Without a release'),
              ([release, maps]) => (
                <Release key={release} release={release} maps={maps} path={path} then={load.reload} />
              ),
            )}
            <Pager pages={pages} />
          </section>
        )}
      </Loaded>
      {mayWrite() && (
        <>
          <Upload path={path} then={load.reload} />
          <section>
            <Prose id="upload-ci" />
            <Snippet name="Upload of a source map" text={textOf('upload-command', { origin: location.origin, path })} />
          </section>
        </>
      )}
    </div>
  );
}

interface ReleaseProps {
  release: string;
  maps: ListedSourceMap[];
  path: string;
  then(): void;
}

function Release({ release, maps, path, then }: ReleaseProps) {
  return (
    <div class="release">
      <h2 dir="auto">{release}</h2>
      <Table heads="map-heads">
        {maps.map(({ id, file, url, debug_id, size, sources, created_at, last_used_at }) => (
          <tr key={id}>
            <td class="what" dir="auto">
              {file}
              {(url ?? debug_id) && <p>{url ?? `debug id ${debug_id}`}</p>}
            </td>
            <td class="number">{bytes(size)}</td>
            <td class="number sources">{sources.toLocaleString()}</td>
            <td class="when">
              <At at={created_at} />
            </td>
            <td class="when">{last_used_at ? <Ago at={last_used_at} suffix=" ago" /> : 'never'}</td>
            <td class="act">
              {mayWrite() && <Remove what={file} path={`${path}/${id}`} text="delete-map" then={then} />}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

const bytes = (size: number): string =>
  size < 1_024 ** 2 ? `${Math.ceil(size / 1_024)} kB` : `${(size / 1_024 ** 2).toFixed(1)} MB`;
