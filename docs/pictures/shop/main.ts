import { assertPaid, placeOrder } from './checkout';
import { showMap, suggestionsOf } from './search';
import { readVoucher, saveDraft } from './voucher';

// The handlers of the shop's buttons and fields, by their names.
export const on = { assertPaid, placeOrder, readVoucher, saveDraft, showMap, suggestionsOf };
