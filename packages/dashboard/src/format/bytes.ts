/** Formats a size: `12 kB`, `1.5 MB`, `10.0 GB`. */
export function formatBytes(size: number): string {
  if (size < 1_024 ** 2) return `${Math.ceil(size / 1_024)} kB`;
  if (size < 1_024 ** 3) return `${(size / 1_024 ** 2).toFixed(1)} MB`;
  return `${(size / 1_024 ** 3).toFixed(1)} GB`;
}
