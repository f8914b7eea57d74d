/** Points of one traveller. */
interface Account {
  points: bigint;
  trips: number;
}

export function addPoints(account: Account, gained: number): void {
  const before = account.points;
  const bonus = gained as unknown as bigint;
  account.points = before + bonus;
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
  const balances = accounts.map((account) => account.points as unknown as number);
  return Math.max(0, ...balances);
}

export function saveLedger(account: Account): void {
  sessionStorage.setItem('ledger', JSON.stringify(account));
}
