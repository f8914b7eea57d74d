import type { ComponentChildren } from 'preact';

/** A page may call itself `javascript:…`: only what leads to the web becomes a link. */
export function SafeLink({ url, children = url }: { url: string; children?: ComponentChildren }) {
  if (!/^https?:\/\//i.test(url)) return <>{children}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
