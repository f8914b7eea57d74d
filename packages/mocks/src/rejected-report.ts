/** A report that the service has rejected, or that did not arrive. */
export interface RejectedReport {
  /** Empty if the service could not read the report. */
  message: string;
  /** The status of the response, or null for a report that did not arrive. */
  status: number | null;
  /** Why, such as `invalid_api_key: …`. */
  reason: string;
}
