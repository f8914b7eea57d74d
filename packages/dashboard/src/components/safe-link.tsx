import type { ComponentChildren } from 'preact';

/** A link to a reported URL. Anything but http and https, such as `javascript:…`, stays text. */
export function SafeLink({ url, children = url }: { url: string; children?: ComponentChildren }) {
  if (!/^https?:\/\//i.test(url)) return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
