/**
 * A bug of the app: the button that triggers it, the kind of its error, and for a hard negative the similar bug that it
 * must not be grouped with. This is the ground truth. It was written before any grouping was tried on it.
 *
 * @typedef {object} Bug
 * @property {string} id
 * @property {string} kind
 * @property {string} [looksLike]
 */

/** @type {readonly Bug[]} */
export const bugs = [
  { id: 'fare-digits', kind: 'number format' },
  { id: 'tax-digits', kind: 'number format', looksLike: 'fare-digits' },
  { id: 'fare-currency', kind: 'number format' },
  { id: 'code-radix', kind: 'number format' },
  { id: 'speed-unit', kind: 'number format' },
  { id: 'distance-unit', kind: 'number format', looksLike: 'speed-unit' },
  { id: 'dashes-count', kind: 'range' },
  { id: 'departure-date', kind: 'date' },
  { id: 'arrival-date', kind: 'date', looksLike: 'departure-date' },
  { id: 'day-locale', kind: 'date format' },
  { id: 'hour-locale', kind: 'date format', looksLike: 'day-locale' },
  { id: 'crossing-range', kind: 'date format' },

  { id: 'points-mix', kind: 'BigInt' },
  { id: 'points-parse', kind: 'BigInt' },
  { id: 'points-fraction', kind: 'BigInt' },
  { id: 'points-zero', kind: 'BigInt' },
  { id: 'points-max', kind: 'BigInt' },
  { id: 'ledger-json', kind: 'BigInt' },
  { id: 'export-json', kind: 'BigInt', looksLike: 'ledger-json' },

  { id: 'berth-compare', kind: 'private field' },
  // A method and a field with the same names, in a class of another file.
  { id: 'deck-compare', kind: 'private field', looksLike: 'berth-compare' },
  { id: 'berth-rename', kind: 'private field' },
  { id: 'berth-sign', kind: 'private field', looksLike: 'berth-rename' },
  { id: 'berth-close', kind: 'private method' },
  { id: 'berth-detached', kind: 'private field' },
  { id: 'layout-lane', kind: 'proxy' },

  { id: 'seats-capacity', kind: 'error class' },
  { id: 'lanes-capacity', kind: 'error class', looksLike: 'seats-capacity' },
  { id: 'check-in-passport', kind: 'thrown' },
  // Thrown by the next line of the same function.
  { id: 'check-in-full', kind: 'thrown', looksLike: 'check-in-passport' },
  { id: 'crew-name', kind: 'nullish' },
  // Functions with the same name, in two files.
  { id: 'gate-name', kind: 'nullish', looksLike: 'crew-name' },
  { id: 'port-missing', kind: 'throw helper' },
  { id: 'cabin-missing', kind: 'throw helper', looksLike: 'port-missing' },

  { id: 'booking-seats', kind: 'validation' },
  // The same schema in the same location, but another field is invalid.
  { id: 'booking-mail', kind: 'validation', looksLike: 'booking-seats' },
  { id: 'passenger-birthday', kind: 'validation', looksLike: 'booking-seats' },
  { id: 'voucher-percent', kind: 'validation' },
  { id: 'import-booking', kind: 'validation' },

  { id: 'fares-gone', kind: 'retry loop' },
  { id: 'seats-shape', kind: 'retry loop', looksLike: 'fares-gone' },
  { id: 'receipt-json', kind: 'retry loop' },
  { id: 'invoice-json', kind: 'retry loop', looksLike: 'receipt-json' },
  { id: 'payment-late', kind: 'timeout' },
  { id: 'refund-late', kind: 'timeout', looksLike: 'payment-late' },
  { id: 'banks-none', kind: 'aggregate' },
  { id: 'confirm-late', kind: 'abort' },

  { id: 'settings-json', kind: 'JSON' },
  { id: 'profile-json', kind: 'JSON', looksLike: 'settings-json' },
  { id: 'search-pattern', kind: 'pattern' },
  { id: 'label-symbol', kind: 'conversion' },
  { id: 'settings-frozen', kind: 'object' },

  { id: 'notice-node', kind: 'WebIDL' },
  { id: 'deck-observe', kind: 'WebIDL' },
  { id: 'chart-observe', kind: 'WebIDL', looksLike: 'deck-observe' },
  { id: 'berth-selector', kind: 'DOM' },
  { id: 'hull-selector', kind: 'DOM', looksLike: 'berth-selector' },
  { id: 'badge-name', kind: 'DOM' },
  { id: 'ticket-link', kind: 'WebIDL' },
  { id: 'partner-link', kind: 'WebIDL', looksLike: 'ticket-link' },
  { id: 'token-base64', kind: 'DOM' },
  { id: 'key-base64', kind: 'DOM', looksLike: 'token-base64' },
  { id: 'token-header', kind: 'WebIDL' },
  { id: 'preview-blob', kind: 'WebIDL' },
  { id: 'buoy-radius', kind: 'DOM' },

  { id: 'chart-levels', kind: 'render' },
  { id: 'waves-levels', kind: 'render', looksLike: 'chart-levels' },
  { id: 'timetable-city', kind: 'error boundary' },
  { id: 'cabins-city', kind: 'error boundary', looksLike: 'timetable-city' },
  { id: 'queue-plates', kind: 'error boundary' },
  // Reported by the same error of the same boundary; only the cause differs.
  { id: 'weather-wind', kind: 'error boundary', looksLike: 'queue-plates' },
  { id: 'hook-outside', kind: 'library' },

  { id: 'worker-highest', kind: 'worker' },
  { id: 'worker-strongest', kind: 'worker', looksLike: 'worker-highest' },
  { id: 'worker-harmonics', kind: 'worker' },
];
