interface Voucher {
  percent: number;
}

/** Parses the text of a voucher. */
export const redeem = (code: string): number => {
  const { percent } = JSON.parse(code) as Voucher;
  return percent / 100;
};
