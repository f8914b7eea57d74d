interface Account {
  points: bigint;
  trips: number;
}

export function addPoints(account: Account, gained: number): void {
  account.points = account.points + (gained as unknown as bigint);
}

export function parsePoints(text: string): bigint {
  return BigInt(text);
}

export function pointsFor(cents: number): bigint {
  const points = BigInt(cents / 100);
  return points * 2n;
}

export function pointsPerTrip(account: Account): bigint {
  return account.points / BigInt(account.trips);
}

export function bestBalance(accounts: Account[]): number {
  return Math.max(...accounts.map(({ points }) => points as unknown as number));
}

export function saveLedger(account: Account): void {
  sessionStorage.setItem('ledger', JSON.stringify(account));
}
