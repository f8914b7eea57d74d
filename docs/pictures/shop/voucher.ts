export interface Voucher {
  code: string;
  percent: number;
}

/** Parses the response of the voucher service. */
export function readVoucher(body: string): Voucher {
  return JSON.parse(body) as Voucher;
}

/** Saves the draft of an order, so that it survives a reload. */
export function saveDraft(storage: Pick<Storage, 'setItem'>, draft: object): void {
  storage.setItem('draft', JSON.stringify(draft));
}
