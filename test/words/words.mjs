// Words to avoid in names and prose, each with a replacement. `lint:words` reports them.
//
// An entry applies to the places for which it has a field:
// - `prose`: comments, texts, test titles, Markdown and HTML. Lower case; a space also matches a line break.
// - `names`: parts of declared names, paths, CSS classes, and code in backticks. Lower case: `first answers` matches
//   `firstAnswers`, `FIRST_ANSWERS` and `first-answers.ts`.
// - `whole`: complete names in their exact spelling, separated by `|`. `takeEvent` also matches `take-event.ts`.
// `prose` and `names` are parts of regular expressions. `within` limits an entry to some files, for words that are fine
// elsewhere.

/**
 * @typedef {{ prose?: string, names?: string, whole?: string, within?: RegExp, write: string }} Entry
 * @typedef {{ files: RegExp, words?: string[], because: string }} Exclusion Excludes files, or some words in them.
 */

const browser = /^packages\/browser\//;
const server = /^packages\/server\//;
const dashboard = /^packages\/dashboard\//;

/** @type {Entry[]} */
export const words = [
  // Phrases.
  { prose: 'told|untold', names: '(un)?told', write: 'reported, received, published, shown, or the other exact verb' },
  { prose: 'tells? of', write: 'reports, describes, shows' },
  { prose: 'who(?:m)?ever', names: 'who(m)?ever', write: 'the caller, the user, a client that …' },
  { prose: 'nobody', names: 'nobody', write: 'no caller, no user, nothing, or turn the sentence round' },
  { prose: 'somebody', names: 'somebody', write: 'a user, a caller, an attacker, a member' },
  { prose: 'anew', names: 'anew', write: 'again' },
  { prose: 'meanwhile', names: 'meanwhile', write: 'during that time, in the meantime, or say what happens when' },
  { prose: 'beside', names: 'beside', write: 'next to, in addition to, compared with' },
  // "The current result stands" is fine.
  { prose: '(?<!result )stands', names: 'stands', write: 'is, is stored, represents' },
  { prose: 'lies', write: 'is stored, is in' },
  { prose: '(?:goes|go|went|going) along', write: 'is sent with, accompanies' },
  { prose: 'lest', write: 'so that … not' },
  // At the start of a doc comment.
  { prose: '(?<=^/\\*\\*\\s*)whether', write: 'returns whether …, or true if …' },
  { prose: 'ever so', write: 'very, or the number' },
  { prose: 'so many(?! that)', write: 'the number, the maximum, this many' },
  { prose: 'so often(?! that)', write: 'at most n times, the number of times' },
  { prose: "(?<!not |n’t |n't )so long(?! that)", write: 'the duration, n milliseconds' },
  { prose: '(?:is|are|was|were|been) known of|known of', write: 'the facts about, the state of' },
  { prose: 'passed over', write: 'skipped' },
  // "As soon as it is done" and "as it is written" are fine. Error messages of browsers contain "as it is undefined".
  {
    prose:
      '(?<!(?:soon|long|far|often|much|same|just) )as it is(?! (?:undefined|null|not|read|sent|written|\\w+ed)\\b)',
    write: 'unchanged, current, in its current state',
  },
  { prose: '(?:is|are|was|were) to be', write: 'must be, will be, should be' },
  { prose: 'may not(?: [\\w-]+){0,8} any ?more', write: 'may no longer' },
  { prose: 'good for', write: 'valid for, enough for' },
  { prose: "of (?:its|their|his|her|one[’']s) own", write: 'its own …, separate, dedicated' },
  { prose: 'there (?:is|are|was|were) none', write: 'there is no …, or null if …' },
  // The subject of a statement, as in "What is stored is …". Questions are fine.
  {
    prose: '(?<=(?:^|[.;:!?])\\s*)(?<![?] )what (?:is|are|was|were)\\b(?=[^.?!]*[.;])',
    write: 'the thing itself as the subject',
  },
  { names: 'most(?! (recent|recently|used|likely|frequent|common)( |$))(?<!at most)', write: 'max…' },

  // Names, the browser SDK first.
  { names: 'tells?', write: 'report, publish, notify, process' },
  { names: 'crumbs?', write: 'breadcrumb' },
  { names: '(?<!breadcrumb )trail', write: 'breadcrumbs' },
  { whole: 'Note|note', within: /^packages\/browser\/src\//, write: 'breadcrumb, recordBreadcrumb' },
  {
    whole: 'take|takeEvent',
    within: /^packages\/(browser\/|server\/(src|test)\/stream\/)/,
    write: 'captureError, subscribe',
  },
  { whole: 'Extras|extras', within: browser, write: 'Scope' },
  { whole: 'isWanted', within: browser, write: 'filters' },
  { whole: 'fits', within: browser, write: 'matchesPattern' },
  { whole: 'describeError|readThrown', within: browser, write: 'errorToReport, unwrapEvent' },
  { names: 'undo', within: browser, write: 'teardown' },
  { whole: 'flight|held|passed', within: browser, write: 'pending, recentErrors, tokensUsed' },
  { names: 'said', write: 'warned, reported' },

  // The server.
  { prose: 'tally|tallies', names: 'tally|tallies', write: 'request counters' },
  { whole: 'Memo', within: server, write: 'admission cache' },
  { names: 'drafts?', within: server, write: 'Transaction' },
  { whole: 'Draft', within: browser, write: 'PendingReport' },
  { whole: 'Decision|decide|decideOne', within: server, write: 'transaction body, run' },
  { whole: 'fold', within: server, write: 'apply' },
  { whole: 'Follower|follower|followers', within: server, write: 'CommitListener' },
  { prose: 'leftovers?', names: 'leftovers?', write: 'garbage, CompactionState' },
  { prose: 'upkeep', names: 'upkeep', write: 'maintenance' },
  { names: 'first answers?', write: 'idempotency cache' },
  { whole: 'Refusals|refusals', within: server, write: 'quota drops' },
  { prose: 'kept reports?', names: 'kept reports?', write: 'stored report' },
  { whole: 'KeptPlace', write: 'LogPointer' },
  { whole: 'adoptGroup|adoptedGroup|adoptionId|AdoptionRecord', write: 'group alias' },
  { names: 'adopt(?:s|ed|ion)?', within: server, write: 'group alias' },
  { whole: 'Answer|answers|answered|Answered', within: /^packages\/[^/]+\/src\//, write: 'Response, result' },
  { names: 'seats?', within: server, write: 'index, slot, subscription' },
  { whole: 'place|places|Place|placeOf', within: /^packages\/[^/]+\/src\//, write: 'position, location, address' },
  { whole: 'ByteCells', write: 'slab allocator' },
  { whole: 'SlotSet', write: 'bitset' },
  { whole: 'KeptFilter', write: 'cached filter' },
  { whole: 'SearchText', write: 'search index' },
  { whole: 'pageOf', write: 'paginate' },
  { whole: 'projectOf|projectToChange', within: server, write: 'requireProject, requireWritableProject' },
  { whole: 'readNoQuery', write: 'assertNoQuery' },
  { names: 'refuse', write: 'reject' },
  { whole: 'Seat|seat', within: /^packages\/server\/(src|test)\/(stream|http)\//, write: 'Subscription' },
  { names: 'outlets?', write: 'Sink' },
  { whole: 'Positions|PositionsWriter', within: /^packages\/server\/src\/(stream|store)\//, write: 'EventCursor' },
  { whole: 'catchUp', write: 'replayMissed' },
  { prose: 'signs? of life', names: 'signs? of life|beat', write: 'heartbeat' },
  // A journal in `storage/` is that of SQLite.
  { names: 'journal', within: /^packages\/server\/(?!src\/storage\/)/, write: 'EventLog' },
  { prose: 'happenings?', names: 'happenings?', write: 'GroupEvent, event' },
  { prose: 'messenger', names: 'messenger', write: 'NotificationDispatcher' },
  { whole: 'Way|Ways', within: server, write: 'Channel' },
  { whole: 'Targets', within: server, write: 'DeliveryLimiter' },
  { prose: 'rungs?', names: 'rungs?|climb|ladder', write: 'grouping strategy, selectStrategy' },
  { names: '(?:finger)?print born|born print', write: 'originalFingerprint' },
  { whole: 'EarlierPrint|earlierPrints', write: 'earlier fingerprints' },
  { whole: 'DigitsAside|digitsAside|writtenWordsAside|constantsAside', write: 'digit-normalising cache' },
  { names: 'rare sentences?', write: 'uncommon engine messages' },
  { names: 'issue list', write: 'validation issues' },
  { whole: 'Turns|turns', within: server, write: 'Semaphore' },
  { names: 'end access', write: 'revokeAccess' },
  { names: 'access ends', write: 'accessExpiry' },
  { whole: 'commitAs', write: 'commitAsCaller' },
  { whole: 'operate', within: server, write: 'commands/' },

  // The dashboard.
  { whole: 'hear|deaf', within: dashboard, write: 'onEvent, unsubscribe' },
  { names: 'says?', within: dashboard, write: 'broadcast, format, show' },
  { whole: 'say', within: /^(packages|test)\//, write: 'describe, warn, show' },
  { whole: 'Prose|prose', within: dashboard, write: 'texts' },
  { names: 'standing', write: 'status' },
  { names: 'verdicts?', write: 'resolution message, result' },

  // The tests.
  { names: 'chapters?', within: /^(test|packages)\//, write: 'suite' },
  { prose: 'deeds?', names: 'deeds?', write: 'operation' },
  { names: 'weather', write: 'faults' },
  { names: 'ideal', write: 'model' },
  { names: 'scene', write: 'context' },
  { names: 'judge', write: 'assertScreen' },
  { names: 'hunts?', write: 'runMutants' },
];

/** @type {Exclusion[]} */
export const exclusions = [
  {
    files: /^packages\/server\/src\/scrub\/user-remover\.ts$/,
    words: ['nobody'],
    because: 'an id that pages send for anonymous users',
  },
  {
    files: /^packages\/server\/src\/store\/(records\/entry|log\/(ledger|known-entries)|model\/state-entries)\.ts$/,
    words: ['answers'],
    because: 'the name on disk of the first responses by `event_id`',
  },
  { files: /^test\/words\//, because: 'the list and its tests contain the words' },
  { files: /^docs\/glossary\.md$/, because: 'maps old names to new ones' },
  { files: /^(.*\/)?(LICENSE|pnpm-lock\.yaml|package-lock\.json)$/, because: 'third-party or generated text' },
  {
    files: /^benchmarks\/corpus\/(workshop\/)?(app|captured)\//,
    because: 'recorded input: an app with bugs, and what browsers reported about it',
  },
  {
    files: /^packages\/browser\/src\/page-state\.ts$/,
    words: ['undo'],
    because: 'loader snippets that are pasted into pages use this key',
  },
];
