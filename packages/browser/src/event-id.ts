/** Returns a random UUID. Pages loaded by plain HTTP have no crypto.randomUUID. */
export function createEventId(): string {
  return 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));
}
