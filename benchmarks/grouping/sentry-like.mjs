/**
 * Groups the same resolved stacks like Sentry's default, to show how hard a corpus is. Errors are one group if type and
 * all in-app frames are equal, each by file and function, or by its source line if it has no name. Without such frames,
 * type and message must be equal, ignoring numbers and ids. The stacks have the original names of functions.
 *
 * @param {readonly import('./corpus.mjs').CapturedError[]} records
 * @param {Map<string, import('./replay.mjs').Stored>} stored
 * @returns {Record<string, string>} groups by the id of an error
 */
export function groupLikeSentry(records, stored) {
  return Object.fromEntries(
    records.map((record) => {
      const frames = (stored.get(record.id)?.frames ?? []).filter(({ file, in_app }) => in_app && file !== null);
      const words = frames.length > 0 ? frames.map(frameText) : [messageText(record)];
      return [record.id, JSON.stringify([`${record.app} ${record.bundler}`, record.name, ...words])];
    }),
  );
}

/** @param {import('./replay.mjs').Stored['frames'][number]} frame */
function frameText({ file, line, function: name, context }) {
  const path = (file ?? '').replace(/^webpack:\/\/[^/]*\//, '').replace(/^(\.\.?\/)+/, '');
  return `${path}:${name ?? context.find((one) => one.line === line)?.text.trim() ?? ''}`;
}

/** @param {import('./corpus.mjs').CapturedError} record */
function messageText({ message, event_message }) {
  const [first = ''] = (message ?? event_message ?? '').split('\n');
  return first.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>').replaceAll(/\d+/g, '<n>');
}
