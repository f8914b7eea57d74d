/** Returns the id of the record of a recipient. Addresses that differ only in case are the same. */
export function recipientId(teamId: number, email: string): string {
  return `${teamId} ${email.toLowerCase()}`;
}
