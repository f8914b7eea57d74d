import type { Origins } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loaded } from '../../components/loaded.tsx';
import { showToast } from '../../components/toast.tsx';
import { InputField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';

/** Shows the allowed origins, and adds the origin of a page. */
export function AllowOrigin() {
  const load = useLoad<Origins>('/origins');
  return (
    <Loaded load={load}>
      {({ origins, from_settings }) => {
        const allowed = [...from_settings, ...origins];
        return (
          <>
            <p>
              {allowed.length > 0
                ? `Allowed origins: ${allowed.join(', ')}`
                : 'No origins are added yet, so only pages on localhost can send reports.'}
            </p>
            <Form<'page'>
              fieldNames={{ origins: 'page' }}
              submit="Allow origin"
              class="row"
              onSubmit={async ({ page }, form) => {
                const origin = URL.parse(page)?.origin ?? page;
                if (allowed.includes(origin))
                  throw new Error(`${origin} is already allowed. The problem has another cause.`);
                await call('PUT', '/origins', { origins: [...origins, origin] });
                load.reload();
                form.reset();
                showToast(`${origin} can now send reports.`);
              }}
            >
              <InputField
                name="page"
                label="Address of the blocked page"
                type="url"
                placeholder="https://shop.example"
                required
                expected="Enter the address of a web page, such as https://shop.example."
              />
            </Form>
          </>
        );
      }}
    </Loaded>
  );
}
