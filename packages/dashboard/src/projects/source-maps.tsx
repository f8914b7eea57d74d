import { useEffect } from 'preact/hooks';
import type { ListedSourceMap, Page, Project, SourceMap } from '@service/protocol';
import { call, explain, get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { listen } from '../live/live.ts';
import { Snippet } from '../parts/copy.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { Ago, At } from '../parts/time.tsx';
import { param, withParams } from '../router/address.ts';
import { mayWrite } from '../session/session.ts';

const pageSize = 50;

/** Source maps by release: which there are, how big, and whether a frame ever needed them. */
export function SourceMaps({ project }: { project: Project }) {
  const page = Math.max(1, Number(param('page')) || 1);
  const path = `/projects/${project.id}/source-maps`;
  const load = useLoad(`${path} ${page}`, () => get<Page<ListedSourceMap>>(`${path}?page=${page}&size=${pageSize}`));
  useEffect(
    () => listen((event) => event.type === 'project.updated' && event.project_id === project.id && load.reload()),
    [project.id, page],
  );
  return (
    <div class="sections">
      <Loaded of={load}>
        {({ items, pages, total }) => (
          <section>
            {items.length === 0 ? (
              <Empty title="No source map yet">
                <p>
                  With the maps of a release its minified stacks read like your source, also those that came before.
                </p>
              </Empty>
            ) : (
              <>
                {byRelease(items).map(([release, maps]) => (
                  <Release key={release ?? ''} release={release} maps={maps} path={path} reload={load.reload} />
                ))}
                {pages > 1 && (
                  <nav class="pages" aria-label="Pages">
                    {page > 1 && <a href={withParams({ page: String(page - 1) })}>Newer</a>}
                    <span>
                      Page {page} of {pages}, {total} maps
                    </span>
                    {page < pages && <a href={withParams({ page: String(page + 1) })}>Older</a>}
                  </nav>
                )}
              </>
            )}
          </section>
        )}
      </Loaded>
      {mayWrite() && <Upload project={project} path={path} reload={load.reload} />}
    </div>
  );
}

function byRelease(maps: readonly ListedSourceMap[]): [string | null, ListedSourceMap[]][] {
  const releases = new Map<string | null, ListedSourceMap[]>();
  for (const map of maps) releases.set(map.release, [...(releases.get(map.release) ?? []), map]);
  return Array.from(releases);
}

function Release({
  release,
  maps,
  path,
  reload,
}: {
  release: string | null;
  maps: ListedSourceMap[];
  path: string;
  reload(): void;
}) {
  const remove = async ({ id, file }: ListedSourceMap): Promise<void> => {
    try {
      await call('DELETE', `${path}/${id}`);
      say(`The map of ${file} is deleted.`);
    } catch (error) {
      say(explain(error), true);
    }
    reload();
  };
  return (
    <div class="release">
      <h2 dir="auto">{release ?? 'Without a release'}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col" class="number sources">
              Sources
            </th>
            <th scope="col" class="when">
              Uploaded
            </th>
            <th scope="col" class="when">
              Used
            </th>
            {mayWrite() && (
              <th scope="col">
                <span class="hidden">Delete</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {maps.map((map) => (
            <tr key={map.id}>
              <td class="what" dir="auto">
                {map.file}
                {(map.url ?? map.debug_id) && <p>{map.url ?? `debug id ${map.debug_id}`}</p>}
              </td>
              <td class="number">{bytes(map.size)}</td>
              <td class="number sources">{map.sources.toLocaleString()}</td>
              <td class="when">
                <At at={map.created_at} />
              </td>
              <td class="when">{map.last_used_at ? <Ago at={map.last_used_at} suffix=" ago" /> : 'never'}</td>
              {mayWrite() && (
                <td class="act">
                  <button
                    type="button"
                    class="small"
                    aria-label={`Delete the map of ${map.file}`}
                    onClick={() => remove(map)}
                  >
                    Delete
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Upload({ project, path, reload }: { project: Project; path: string; reload(): void }) {
  const endpoint = `${location.origin}/api/v1${path}`;
  return (
    <section>
      <h2>Upload</h2>
      <p>
        In CI, with <a href="/tokens">a token</a>:
      </p>
      <Snippet
        name="Upload of a source map"
        text={`curl ${endpoint} \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -F file=@dist/app.js.map -F release=1.2.0`}
      />
      <p>Or here, one file:</p>
      <Form
        submit="Upload"
        isPrimary={false}
        run={async (_, form) => {
          const data = new FormData(form);
          // An empty text would be a release of that name.
          for (const name of ['release', 'url']) if (!data.get(name)) data.delete(name);
          const map = await call<SourceMap>('POST', `/projects/${project.id}/source-maps`, data);
          form.reset();
          say(`The map of ${map.file} is there, with ${map.sources} sources.`);
          reload();
        }}
      >
        <Field label="Source map">
          <input type="file" name="file" accept=".map,.json" required />
        </Field>
        <Field label="Release" hint="As given to init(). Maps with debug ids need none.">
          <input name="release" maxLength={200} autocomplete="off" />
        </Field>
        <Field label="URL of the minified file" hint="Or its path: ~/assets/app.js is that of any host. May be empty.">
          <input name="url" maxLength={2048} autocomplete="off" />
        </Field>
      </Form>
    </section>
  );
}

function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_024 ** 2 ? `${Math.round(size / 1_024)} kB` : `${(size / 1_024 ** 2).toFixed(1)} MB`;
}
