/** The classes that engines throw and apps do too. */
const sharedTypes = new Set(
  `TypeError RangeError ReferenceError SyntaxError AggregateError AbortError DataError NetworkError NotAllowedError
  NotFoundError NotSupportedError OperationError SecurityError TimeoutError UnknownError VersionError`.split(/\s+/),
);

/** The classes that only engines and browsers throw: of ECMAScript, WebAssembly, and names of DOMExceptions. */
const browserTypes = new Set(
  `URIError EvalError InternalError CompileError LinkError DOMException
  ConstraintError DataCloneError EncodingError HierarchyRequestError InUseAttributeError IndexSizeError
  InvalidAccessError InvalidCharacterError InvalidModificationError InvalidNodeTypeError InvalidStateError
  NamespaceError NoModificationAllowedError NotReadableError QuotaExceededError ReadOnlyError
  TransactionInactiveError TypeMismatchError URLMismatchError WrongDocumentError`.split(/\s+/),
);

// How browsers begin what they say about their interfaces: `Failed to execute 'removeChild' on 'Node': …`,
// `Node.removeChild: …`, and the fixed sentences that WebKit has for DOMExceptions.
const browserSentence =
  /^Failed to (?:execute|construct|read|set) (?:the )?'|^[A-Z]\w{1,60}\.\w{1,60}(?: (?:setter|getter))?: |^The (?:object|operation|string|request|node|quota|index|given|document) [^\n]{1,150}\.$/;

/** Whether an engine throws errors of this class. An app may too: the type alone does not tell who spoke. */
export function isEngineType(type: string): boolean {
  return sharedTypes.has(type) || browserTypes.has(type);
}

/** Whether nobody but an engine can have said this, though no source tells. */
export function isCertainlyEngine(type: string, message: string): boolean {
  return browserTypes.has(type) || (sharedTypes.has(type) && browserSentence.test(message));
}
