import { captureException } from '@service/browser';

/** Reports the caught error and continues without the voucher. */
export function applyVoucher(code: string): number {
  try {
    return readDiscount(code);
  } catch (error) {
    captureException(error, { metadata: { voucher: code } });
    return 0;
  }
}

function readDiscount(code: string): number {
  const [, percent] = /^SAVE-(\d+)$/.exec(code) ?? [];
  if (!percent) throw new SyntaxError('The voucher can not be read');
  return Number(percent);
}
