const troubleshooting = 'node_modules/@service/browser/docs/troubleshooting.md';

const sentences: Record<number, string> = {
  1: 'Only the first call has an effect, so call it in one place, or call close() first. Another copy of the SDK on the page may have called it.',
  2: 'Nothing is reported. Pass both options; a build variable that is not set is often empty.',
  3: 'The error is not reported. Call init() at the very start of the entry point, in a module that is imported first.',
  4: 'Correct it in init(). An unknown option, or one of a wrong type, is ignored; every other value is used as it was given.',
  5: 'The page keeps working. A report is dropped if its beforeSend throws. The stack of the error leads to your function.',
  6: 'The limit is ten errors at once and one more each second, or ten in five seconds with @service/browser/errors. Look at the first errors: usually one is thrown in a loop or a timer.',
  7: 'Browsers hide the errors of scripts from other origins. Set crossorigin="anonymous" on the script; its server must respond with Access-Control-Allow-Origin.',
  8: 'This lasts until the page is reloaded. Copy the key from the settings of the project, and check that endpoint is its server.',
  9: 'This lasts until the page is reloaded. Raise the quota in the dashboard, or send fewer errors with ignoreErrors and sampleRate.',
  10: 'Add the origin of this page in the dashboard, localhost too. Otherwise check that endpoint is the base URL of the server, without a path, and check the connect-src of the page. The line of the browser above names the cause.',
  11: 'Return the report or breadcrumb to keep it, or null to drop it. Without a return value, it is kept as it was changed.',
  12: 'Without an id, the user is dropped. Name and email are sent only with sendUserDetails: true in init(). Other keys are dropped: use setMetadata() or setTags() for them.',
  13: 'The report is dropped. Check that endpoint is the base URL of the server, and what beforeSend changes. The response in the network tab names the field.',
  14: 'The report is dropped. Check the log of the server.',
};

/** Adds what to do about a warning before its number, with a link to its page. Only in the `development` build. */
export function withAdvice(line: string): string {
  return line.replace(
    /\[W(\d+)\]$/,
    (end, warning) => `${sentences[warning]} See ${troubleshooting}#w${warning} ${end}`,
  );
}
