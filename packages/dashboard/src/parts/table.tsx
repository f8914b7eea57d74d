import type { ComponentChildren } from 'preact';

/** A table by its headings; one with the class `act` is only heard. */
export function Table({
  heads,
  children,
  class: name,
}: {
  heads: readonly (readonly [title: string, name?: string])[];
  children: ComponentChildren;
  class?: string;
}) {
  return (
    <table class={name}>
      <thead>
        <tr>
          {heads.map(([title, of]) => (
            <th key={title} scope="col" class={of}>
              {of === 'act' ? <span class="hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
