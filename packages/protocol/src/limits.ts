/** Sizes past which something is cut or refused. Characters are UTF-16 units, bytes are of UTF-8. */
export const limits = {
  /** A whole POST /errors body, as sent and decoded. */
  reportBodyBytes: 1024 * 1024,
  /** Every other JSON body. */
  jsonBodyBytes: 64 * 1024,
  /** Nesting of a report; its root counts as 1. */
  jsonDepth: 32,
  /** Values of a report, containers and leaves together. */
  jsonNodes: 50_000,

  messageChars: 8_192,
  /** What lists and searches know of a message. */
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
  userIdChars: 200,
  sdkChars: 200,

  metadataBytes: 64 * 1024,
  metadataDepth: 7,
  metadataKeys: 256,
  metadataStringChars: 8_192,

  breadcrumbs: 100,
  breadcrumbBytes: 4 * 1024,
  breadcrumbsBytes: 128 * 1024,

  debugIds: 250,

  sourceMapBytes: 64 * 1024 * 1024,
  sourceMapSources: 100_000,

  projectNameChars: 200,
  planIdChars: 64,
  planNameChars: 200,
  providerChars: 64,
  /** So many payments of a team may be pending. */
  pendingPayments: 1_000,
  paymentEventIdChars: 255,
  /** The shortest password, and the longest. */
  passwordChars: 10,
  longestPasswordChars: 1_024,
  /** As long as an address can be that mail is delivered to. */
  emailChars: 254,
  personNameChars: 200,
  teamNameChars: 200,
  tokenNameChars: 200,
  /** So many people a team, and personal access tokens a person, may have. */
  members: 1_000,
  personalTokens: 100,
  /** Whom the notifications of a project are mailed to. */
  mailRecipients: 20,
  /** Of the allow-list, as far as it is changed at run time. */
  origins: 1_000,
  originChars: 300,
  searchChars: 200,
  pageSize: 100,
  defaultPageSize: 50,
  facets: 100,

  /** Open at once: of the server, and of a session or token. */
  streams: 1_000,
  streamsOfOne: 20,
  /** A reader of the stream that takes nothing is cut off when so much waits for it. */
  streamBehindBytes: 256 * 1024,

  /** `event_id`s are remembered this long, and at most so many of them. */
  eventIdHours: 24,
  eventIds: 250_000,
  /** Past it, new fingerprints of a project count under one overflow group. */
  groupsPerProject: 100_000,
} as const;

/** Ends every text that was cut; it comes on top of the limit. */
export const truncationMark = '…[truncated]';
