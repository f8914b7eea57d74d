import type { ComponentChildren } from 'preact';

interface TableProps {
  columns: readonly Column[];
  children: ComponentChildren;
  class?: string;
}

interface Column {
  title: string;
  class?: string;
  /** Only screen readers read the title. */
  isHidden?: boolean;
}

export function Table({ columns, children, class: className }: TableProps) {
  return (
    <table class={className}>
      <thead>
        <tr>
          {columns.map(({ title, class: name, isHidden }) => (
            <th key={title} scope="col" class={name}>
              {isHidden ? <span class="hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
