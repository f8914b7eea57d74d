import { assertPaid, placeOrder } from './checkout';
import { showMap, suggestionsOf } from './search';
import { readVoucher, saveDraft } from './voucher';

// The handlers of the buttons and fields of the shop.
export const on = { assertPaid, placeOrder, readVoucher, saveDraft, showMap, suggestionsOf };
