import { truncate } from '../text/truncate.ts';
import type { GroupedFrame } from './grouped-frame.ts';
import { lineOf, linesUpTo } from './source-line.ts';

const maxStatementChars = 1_024;
/** Lines of a statement that throws, above the one that the engine reports. */
const linesOfStatement = 2;
/** The key of a translated text, of two or more words: `stock.gone`, `errors:not-found`, `ORDER_CLOSED`. */
const textKey = `["'](?<key>[\\w-]{1,60}(?:[.:/][\\w-]{1,60})+|[A-Z][A-Z\\d]*(?:_[A-Z\\d]+)+)["']`;
const thrownText = new RegExp(
  `\\b(?:throw|reject\\s*\\()\\s*(?:new\\s+)?[\\w$.]{1,100}\\(\\s*[\\w$.]{1,100}\\(\\s*${textKey}`,
  'g',
);
const passedText = new RegExp(`^[\\w$.]{1,100}\\(\\s*${textKey}`);

/**
 * Returns the key of the text that a line throws, in `throw new StockError(t('stock.gone', { part }))`, or null. The
 * text itself is in the language of the user.
 */
export function thrownKey(frame: GroupedFrame): string | null {
  const statement = truncate(linesUpTo(frame, linesOfStatement) ?? '', linesOfStatement * maxStatementChars);
  return [...statement.matchAll(thrownText)].at(-1)?.groups?.key ?? null;
}

/** Returns the key that a caller passes to a function that throws its text, as in `fail('slot.taken')`, or null. */
export function passedKey(caller: GroupedFrame | undefined): string | null {
  const call = caller && (lineOf(caller) ?? '').slice((caller.column ?? 1) - 1);
  return call === undefined ? null : (passedText.exec(truncate(call, maxStatementChars))?.groups?.key ?? null);
}
