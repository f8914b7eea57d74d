/** The bugs of the workshop: see `../bugs.mjs`. @type {readonly import('../bugs.mjs').Bug[]} */
export const bugs = [
  { id: 'scan-start', kind: 'callback' },
  // Registered by the same function for another event.
  { id: 'scan-stop', kind: 'callback', looksLike: 'scan-start' },
  { id: 'bench-save', kind: 'callback' },
  { id: 'bench-load', kind: 'callback', looksLike: 'bench-save' },
  { id: 'print-street', kind: 'callback' },
  { id: 'mail-street', kind: 'callback', looksLike: 'print-street' },
  { id: 'sum-lines', kind: 'callback' },
  { id: 'queue-drain', kind: 'callback' },
  { id: 'queue-flush', kind: 'callback', looksLike: 'queue-drain' },
  { id: 'tires-psi', kind: 'callback' },

  { id: 'slot-lost', kind: 'thrown object' },
  { id: 'key-lost', kind: 'thrown object', looksLike: 'slot-lost' },
  { id: 'note-string', kind: 'thrown text' },

  { id: 'order-phone', kind: 'validation' },
  { id: 'order-mail', kind: 'validation', looksLike: 'order-phone' },
  { id: 'order-wheels', kind: 'validation', looksLike: 'order-phone' },
  { id: 'bike-name', kind: 'validation' },
  { id: 'bike-teeth', kind: 'validation', looksLike: 'bike-name' },

  { id: 'slot-taken', kind: 'translated' },
  // Thrown by the next line of the same function, in the same languages.
  { id: 'slot-closed', kind: 'translated', looksLike: 'slot-taken' },
  { id: 'part-gone', kind: 'translated' },
  { id: 'part-reserved', kind: 'translated', looksLike: 'part-gone' },
  { id: 'hint-missing', kind: 'throw helper' },

  { id: 'order-conflict', kind: 'status' },
  { id: 'bike-down', kind: 'status', looksLike: 'order-conflict' },

  { id: 'customer-missing', kind: 'throw helper' },
  { id: 'bike-missing', kind: 'throw helper', looksLike: 'customer-missing' },
  { id: 'setting-tax', kind: 'proxy' },
  { id: 'setting-footer', kind: 'proxy', looksLike: 'setting-tax' },

  { id: 'frame-number', kind: 'printf' },
  { id: 'rack-full', kind: 'printf' },
  { id: 'rack-locked', kind: 'printf', looksLike: 'rack-full' },
  { id: 'invoice-draft', kind: 'renamed class' },
  { id: 'invoice-paid', kind: 'renamed class', looksLike: 'invoice-draft' },
  { id: 'tool-lent', kind: 'renamed class' },
  { id: 'tool-broken', kind: 'renamed class', looksLike: 'tool-lent' },

  { id: 'till-close', kind: 'decorator' },
  { id: 'till-refund', kind: 'decorator', looksLike: 'till-close' },
  { id: 'till-count', kind: 'decorator' },
  { id: 'till-weigh', kind: 'decorator', looksLike: 'till-count' },
  { id: 'wheel-size', kind: 'decorator' },
  { id: 'wheel-spokes', kind: 'decorator', looksLike: 'wheel-size' },

  { id: 'label-frame', kind: 'new Function' },
  { id: 'tag-owner', kind: 'new Function', looksLike: 'label-frame' },
  { id: 'price-night', kind: 'new Function' },
  { id: 'defaults-frozen', kind: 'object' },
  { id: 'tool-copy', kind: 'DOM' },

  { id: 'stand-height', kind: 'component' },
  { id: 'hook-height', kind: 'component', looksLike: 'stand-height' },
  { id: 'total-author', kind: 'component' },
  { id: 'hook-empty', kind: 'component' },
  { id: 'part-maker', kind: 'component' },
  { id: 'context-late', kind: 'library' },
  { id: 'gauge-unit', kind: 'custom element' },
  { id: 'gauge-value', kind: 'custom element' },
];
