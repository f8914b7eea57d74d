/** Formats the time before the error: `−12.5 s`, `−2:05 min`, `−1:02:05 h`. Empty if a time is invalid. */
export function timeBefore(timestamp: string, at: string): string {
  const ms = Date.parse(at) - Date.parse(timestamp);
  if (Number.isNaN(ms)) return '';
  const tenths = Math.round(Math.max(0, ms) / 100);
  if (tenths === 0) return '0.0 s';
  if (tenths < 600) return `−${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.floor(tenths / 10);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const [mm, ss] = [minutes, seconds % 60].map((number) => `${number}`.padStart(2, '0'));
  return hours > 0 ? `−${hours}:${mm}:${ss} h` : `−${minutes}:${ss} min`;
}
