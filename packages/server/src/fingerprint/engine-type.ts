/** Names of DOMExceptions that apps throw too. */
const sharedDomTypes = `AbortError DataError NetworkError NotFoundError NotSupportedError OperationError TimeoutError
  UnknownError VersionError`.split(/\s+/);

/** The error classes that both engines (or Python) and apps throw. */
const sharedTypes = new Set([
  ...'TypeError RangeError ReferenceError SyntaxError AggregateError AttributeError NameError'.split(' '),
  ...sharedDomTypes,
]);

/** Names of DOMExceptions that apps hardly ever throw. */
const browserDomTypes = `ConstraintError DataCloneError EncodingError HierarchyRequestError InUseAttributeError
  IndexSizeError InvalidAccessError InvalidCharacterError InvalidModificationError InvalidNodeTypeError
  InvalidStateError NamespaceError NoModificationAllowedError NotAllowedError NotReadableError QuotaExceededError
  ReadOnlyError SecurityError TransactionInactiveError TypeMismatchError URLMismatchError WrongDocumentError`.split(
  /\s+/,
);

/**
 * The error classes that engines and browsers throw, and apps hardly ever: those of ECMAScript and WebAssembly, and
 * names of DOMExceptions.
 */
const browserTypes = new Set([
  ...'URIError EvalError InternalError CompileError LinkError DOMException'.split(' '),
  ...browserDomTypes,
]);

const domTypes = new Set([...sharedDomTypes, ...browserDomTypes]);

// The beginnings of browsers' messages about their interfaces: `Failed to execute 'removeChild' on 'Node': …`,
// `Node.removeChild: …`, and the fixed messages that WebKit has for DOMExceptions.
const browserSentence =
  /^Failed to (?:execute|construct|read|set) (?:the )?'|^[A-Z]\w{1,60}\.\w{1,60}(?: (?:setter|getter))?: |^The (?:object|operation|string|request|node|quota|index|given|document) [^\n]{1,150}\.$|^Type error$/;

/**
 * Returns whether engines throw errors of this class. Apps may throw them too, so the class alone does not identify the
 * engine.
 */
export function isEngineType(type: string): boolean {
  return sharedTypes.has(type) || browserTypes.has(type);
}

/** Returns whether a class is the name of a DOMException. The standard has a closed list of them. */
export function isDomException(type: string): boolean {
  return domTypes.has(type);
}

/** Returns whether class and message show, without the source, that an engine wrote the message. */
export function isCertainlyEngine(type: string, message: string): boolean {
  return (
    browserTypes.has(type) ||
    (sharedTypes.has(type) && (browserSentence.test(message) || browserCall(message) !== null))
  );
}

// `Failed to execute 'observe' on 'ResizeObserver': …`, `ResizeObserver.observe: …`,
// `Argument 1 ('target') to ResizeObserver.observe must be …`: browsers word it differently, but each message names the
// call.
const calls: readonly RegExp[] = [
  /^Failed to (?:execute|(?:read|set) the) '(?<member>\w+)' (?:property )?(?:on|from) '(?<owner>\w+)'/,
  /^(?<owner>[A-Z]\w{0,60})\.(?<member>\w{1,60})(?: (?:setter|getter))?: /,
  /^Argument \d+ (?:\('\w+'\) to |of )(?:the )?(?<owner>[A-Z]\w{0,60})\.(?<member>\w{1,60}) /,
  /^The (?<owner>[A-Z]\w{0,60})\.(?<member>\w{1,60}) attribute must be /,
  /^Failed to construct '(?<owner>\w+)'/,
  /^(?<owner>[A-Z]\w{0,60}) constructor: /,
  /^Argument \d+ (?:\('\w+'\) to |of )(?:the )?(?<owner>[A-Z]\w{0,60}) constructor/,
];

/** Returns the call that a browser complains about, such as `ResizeObserver.observe`, or null for any other message. */
export function browserCall(message: string): string | null {
  for (const pattern of calls) {
    const { owner, member } = pattern.exec(message)?.groups ?? {};
    if (owner !== undefined) return member === undefined ? owner : `${owner}.${member}`;
  }
  return null;
}
