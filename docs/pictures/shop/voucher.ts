export interface Voucher {
  code: string;
  percent: number;
}

/** The answer of the voucher service. */
export function readVoucher(body: string): Voucher {
  return JSON.parse(body) as Voucher;
}

/** The draft of an order, so that a reload loses nothing. */
export function saveDraft(storage: Pick<Storage, 'setItem'>, draft: object): void {
  storage.setItem('draft', JSON.stringify(draft));
}
