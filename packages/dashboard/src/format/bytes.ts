/** Formats a size: `12 kB`, `1.5 MB`. */
export const formatBytes = (size: number): string =>
  size < 1_024 ** 2 ? `${Math.ceil(size / 1_024)} kB` : `${(size / 1_024 ** 2).toFixed(1)} MB`;
