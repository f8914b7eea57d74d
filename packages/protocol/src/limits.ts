/** The limits past which input is truncated or rejected. Characters are UTF-16 code units; bytes are UTF-8. */
export const limits = {
  /** The body of POST /errors. It applies before and after decompression. */
  reportBodyBytes: 1024 * 1024,
  /** Any other JSON body. */
  jsonBodyBytes: 64 * 1024,
  /** Nesting depth of a report. The root counts as 1. */
  jsonDepth: 32,
  /** Number of values in a report, containers and leaves together. */
  jsonNodes: 50_000,

  messageChars: 8_192,
  /** The part of a message that lists show and searches cover. */
  listedMessageChars: 300,
  stacktraceBytes: 64 * 1024,
  stacktraceLines: 250,
  stacktraceHeadLines: 200,
  stacktraceTailLines: 50,
  stacktraceLineChars: 1_024,
  typeChars: 200,
  environmentChars: 64,
  releaseChars: 200,
  urlChars: 2_048,
  userAgentChars: 512,
  /** Any other text of a report, such as the id of the user. */
  reportTextChars: 200,

  metadataBytes: 64 * 1024,
  metadataDepth: 7,
  metadataKeys: 256,
  metadataStringChars: 8_192,

  breadcrumbs: 100,
  breadcrumbBytes: 4 * 1024,
  breadcrumbsBytes: 128 * 1024,

  debugIds: 250,
  debugIdChars: 64,

  exceptions: 10,
  /** Frames of one exception: if there are more, the middle is dropped. */
  exceptionFrames: 100,
  exceptionTailFrames: 20,
  /**
   * All exceptions of a report. If they take more, variables, then source lines, then the last exceptions are dropped.
   */
  exceptionsBytes: 128 * 1024,
  frameNameChars: 300,
  frameFileChars: 1_024,
  contextLines: 11,
  contextLineChars: 300,
  frameVariables: 30,
  frameVariableChars: 500,

  fingerprintTexts: 10,
  fingerprintChars: 200,

  tags: 32,
  tagNameChars: 64,
  tagValueChars: 200,
  /** The tags of a report by which its group can be found: its first ones. A group counts at most this many names. */
  searchableTags: 16,
  /** Values of one tag that the details of a group show. */
  groupTagValues: 20,
  /** `tag` filters of one list. */
  tagFilters: 5,
  /** Tags among the facets, and values of each. */
  facetTags: 50,
  facetTagValues: 20,
  deviceChars: 64,

  sourceMapBytes: 64 * 1024 * 1024,
  sourceMapSources: 100_000,
  /** `hash` filters of one list of source maps. */
  mapHashes: 50,

  projectNameChars: 200,
  planIdChars: 64,
  planNameChars: 200,
  providerChars: 64,
  /** Pending payments per team. */
  pendingPayments: 1_000,
  paymentEventIdChars: 255,
  minPasswordChars: 10,
  maxPasswordChars: 1_024,
  /** The longest address to which SMTP can deliver. */
  emailChars: 254,
  personNameChars: 200,
  teamNameChars: 200,
  tokenNameChars: 200,
  membersPerTeam: 1_000,
  /** Invitations of a team that are not accepted yet. */
  invitationsPerTeam: 200,
  sourceMapsPerTeam: 100_000,
  personalTokensPerUser: 100,
  /** Confirmation mails to one address per day, from all teams. */
  confirmationsPerAddress: 3,
  /** Confirmation mails of a team per day. */
  confirmationsPerTeam: 50,
  /** Accounts that one IPv4 address or IPv6 /64 network can register per hour on a server that sends mails. */
  registrationsPerAddress: 20,
  /** Days for which an account exists that does not verify its address. */
  unverifiedAccountDays: 7,
  /** Recipients of the notifications of a project. */
  emailRecipients: 20,
  /** Entries of the list that PUT /origins sets. */
  origins: 1_000,
  originChars: 300,
  searchChars: 200,
  maxPageSize: 100,
  defaultPageSize: 50,
  facets: 100,

  /** Concurrent live streams of the server. */
  streams: 2_000,
  /** Concurrent live streams of one team. */
  streamsPerTeam: 1_200,
  /** Concurrent live streams of one user. The other streams of the team are for its other members. */
  streamsPerUser: 1_000,
  /** The last streams of the server are reserved for teams with fewer than `streamsOfSmallTeam` streams. */
  streamsForSmallTeams: 500,
  streamsOfSmallTeam: 100,
  /** Concurrent live streams of one session or token. */
  streamsPerSession: 20,
  /** The connection of a subscriber is closed when more than this is unread. */
  streamBacklogBytes: 256 * 1024,

  /** Hours for which an `event_id` is remembered. */
  eventIdHours: 24,
  /** Number of `event_id`s that are remembered. */
  eventIds: 250_000,
  /** When a project has this many groups, reports with new fingerprints are counted in one overflow group. */
  groupsPerProject: 100_000,
  /** Groups that can be merged into one group, and in one project. */
  mergedGroups: 50,
  mergedGroupsOfProject: 1_000,
  /** Groups that are suggested for a merge with a group. */
  similarGroups: 5,
} as const;

/** The suffix of every truncated text. It is not counted in the limit. */
export const truncationMark = '…[truncated]';
