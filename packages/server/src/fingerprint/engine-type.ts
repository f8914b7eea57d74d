/** The classes that engines, and Python, throw and apps do too. */
const sharedTypes = new Set(
  `TypeError RangeError ReferenceError SyntaxError AggregateError AbortError DataError NetworkError
  NotFoundError NotSupportedError OperationError TimeoutError UnknownError VersionError AttributeError NameError`.split(
    /\s+/,
  ),
);

/** The classes that only engines and browsers throw: of ECMAScript, WebAssembly, and names of DOMExceptions. */
const browserTypes = new Set(
  `URIError EvalError InternalError CompileError LinkError DOMException
  ConstraintError DataCloneError EncodingError HierarchyRequestError InUseAttributeError IndexSizeError
  InvalidAccessError InvalidCharacterError InvalidModificationError InvalidNodeTypeError InvalidStateError
  NamespaceError NoModificationAllowedError NotAllowedError NotReadableError QuotaExceededError ReadOnlyError SecurityError
  TransactionInactiveError TypeMismatchError URLMismatchError WrongDocumentError`.split(/\s+/),
);

// How browsers begin what they say about their interfaces: `Failed to execute 'removeChild' on 'Node': …`,
// `Node.removeChild: …`, and the fixed sentences that WebKit has for DOMExceptions.
const browserSentence =
  /^Failed to (?:execute|construct|read|set) (?:the )?'|^[A-Z]\w{1,60}\.\w{1,60}(?: (?:setter|getter))?: |^The (?:object|operation|string|request|node|quota|index|given|document) [^\n]{1,150}\.$|^Type error$/;

/** Whether an engine throws errors of this class. An app may too: the type alone does not tell who spoke. */
export function isEngineType(type: string): boolean {
  return sharedTypes.has(type) || browserTypes.has(type);
}

/** Whether nobody but an engine can have said this, though no source tells. */
export function isCertainlyEngine(type: string, message: string): boolean {
  return (
    browserTypes.has(type) ||
    (sharedTypes.has(type) && (browserSentence.test(message) || browserCall(message) !== null))
  );
}

// `Failed to execute 'observe' on 'ResizeObserver': …`, `ResizeObserver.observe: …`, `Argument 1 ('target') to
// ResizeObserver.observe must be …`: browsers word it differently, but all tell what was called.
const calls: readonly RegExp[] = [
  /^Failed to (?:execute|(?:read|set) the) '(?<member>\w+)' (?:property )?(?:on|from) '(?<owner>\w+)'/,
  /^(?<owner>[A-Z]\w{0,60})\.(?<member>\w{1,60})(?: (?:setter|getter))?: /,
  /^Argument \d+ (?:\('\w+'\) to |of )(?:the )?(?<owner>[A-Z]\w{0,60})\.(?<member>\w{1,60}) /,
  /^The (?<owner>[A-Z]\w{0,60})\.(?<member>\w{1,60}) attribute must be /,
  /^Failed to construct '(?<owner>\w+)'/,
  /^(?<owner>[A-Z]\w{0,60}) constructor: /,
  /^Argument \d+ (?:\('\w+'\) to |of )(?:the )?(?<owner>[A-Z]\w{0,60}) constructor/,
];

/** `ResizeObserver.observe`, of which a browser says that it was called with something wrong. Null for any other sentence. */
export function browserCall(message: string): string | null {
  for (const pattern of calls) {
    const { owner, member } = pattern.exec(message)?.groups ?? {};
    if (owner !== undefined) return member === undefined ? owner : `${owner}.${member}`;
  }
  return null;
}
