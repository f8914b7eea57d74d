interface Voucher {
  percent: number;
}

/** Reads what is printed on a voucher. */
export const redeem = (code: string): number => {
  const { percent } = JSON.parse(code) as Voucher;
  return percent / 100;
};
