import { useSignal } from '@preact/signals';
import type { Origins } from '@service/protocol';
import { call, explain, get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { isOperator } from '../session/session.ts';
import { usage } from '../session/usage.ts';
import { At } from '../parts/time.tsx';
import { say } from '../parts/notice.tsx';
import { isAllowed } from './is-allowed.ts';

/** What keeps reports from coming, most often. */
export function InTheWay() {
  return (
    <section>
      <h2>Nothing comes?</h2>
      <details open={usage.value?.errors.refused_since != null}>
        <summary>The console says 429: the quota</summary>
        <QuotaHelp />
      </details>
      <details id="cors">
        <summary>The console says CORS: the origin is not on the list</summary>
        <OriginHelp />
      </details>
      <details>
        <summary>The console says nothing at all</summary>
        <p>
          Is <code>init</code> called before the error? Does a content security policy of the app leave out this server
          (<code>connect-src {location.origin}</code>)? Does a blocker stop it? Try without extensions.
        </p>
      </details>
    </section>
  );
}

function QuotaHelp() {
  const errors = usage.value?.errors;
  if (!errors) return <p>What is used this month is not known yet.</p>;
  const { quota, used, refused, refused_since } = errors;
  if (quota === null) return <p>This team has no quota, so this can’t be it.</p>;
  return (
    <>
      <p>
        {used.toLocaleString()} of {quota.toLocaleString()} reports are used this month.{' '}
        {refused_since && (
          <>
            Since <At at={refused_since} /> {refused.toLocaleString()} have been refused.{' '}
          </>
        )}
        The SDK goes silent on 429 until the page is loaded again.
      </p>
      <p>
        <a href="/usage">Usage and plan</a>
      </p>
    </>
  );
}

function OriginHelp() {
  const origin = useSignal('');
  const problem = useSignal('');
  const isMine = isOperator();
  const origins = useLoad(`origins ${isMine}`, async () => (isMine ? get<Origins>('/origins') : null));
  const known = origins.value;
  const verdict = known && origin.value ? isAllowed(origin.value, known, location.origin) : null;
  return (
    <>
      <p>
        Browsers send reports from pages whose origin is on the server’s list. Without any entry these are pages of
        one’s own machine, such as <code>http://localhost:5173</code>.
      </p>
      {!known && <p>Whoever runs this server keeps the list: ask them to add the origin of your app.</p>}
      {known && (
        <div class="row">
          <label class="field">
            <span>Origin of the app</span>
            <input
              type="url"
              placeholder="https://app.example.com"
              onInput={(event) => (origin.value = readOrigin(event.currentTarget.value))}
            />
          </label>
          {verdict === true && <p class="good">It is on the list.</p>}
          {verdict === false && (
            <button
              type="button"
              onClick={async () => {
                try {
                  origins.set(await call<Origins>('PUT', '/origins', { origins: [...known.origins, origin.value] }));
                  say(`Pages of ${origin.value} may report now.`);
                  problem.value = '';
                } catch (error) {
                  problem.value = explain(error);
                }
              }}
            >
              Allow {origin.value}
            </button>
          )}
        </div>
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </>
  );
}

/** Of an address the origin, which is what people rarely type alone. */
function readOrigin(text: string): string {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text).origin : '';
}
