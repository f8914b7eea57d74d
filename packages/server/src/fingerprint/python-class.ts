/** Classes that have another name, or another base class, in older versions of Python. */
const currentNames = new Map([
  ['IOError', 'OSError'],
  ['EnvironmentError', 'OSError'],
  ['WindowsError', 'OSError'],
  ['socket.error', 'OSError'],
  ['select.error', 'OSError'],
  ['socket.timeout', 'TimeoutError'],
  ['re.error', 'PatternError'],
  ['sre_constants.error', 'PatternError'],
  ['sqlite3.InterfaceError', 'ProgrammingError'],
]);

/**
 * The exception classes of Python's `builtins`, without those that the interpreter raises to stop and without some
 * warnings.
 */
const builtinClasses = new Set(
  `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
  EOFError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError ImportError IndentationError
  IndexError InterruptedError IsADirectoryError KeyError LookupError MemoryError ModuleNotFoundError NameError
  NotADirectoryError NotImplementedError OSError OverflowError PermissionError ProcessLookupError
  PythonFinalizationError RecursionError ReferenceError RuntimeError RuntimeWarning StopAsyncIteration StopIteration
  SyntaxError SystemError TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError
  UnicodeError UnicodeTranslateError UserWarning ValueError Warning ZeroDivisionError`.split(/\s+/),
);

/**
 * Returns the name of an exception's class that is the same in all versions of Python, and after its file was moved:
 * `CartError` for `shop.errors.CartError`. A class called `error` keeps its module: `struct.error`.
 */
export function exceptionClass(type: string): string {
  const parts = type.split('.').filter((part) => part !== '' && part !== '<locals>');
  const name = parts.pop() ?? type;
  // Modules in C have an underscore in one interpreter and none in another: `_struct.error`.
  const inModule = `${(parts.pop() ?? '').replace(/^_+/, '')}.${name}`;
  return currentNames.get(inModule) ?? currentNames.get(name) ?? (/^error$/i.test(name) ? inModule : name);
}

/** Returns whether a class is one of Python's own, which any code may raise with any message. */
export function isBuiltinClass(name: string): boolean {
  return builtinClasses.has(name);
}
