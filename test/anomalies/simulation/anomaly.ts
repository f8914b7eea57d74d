/** A broken promise of the server. */
export class Anomaly extends Error {
  override readonly name = 'Anomaly';
}
