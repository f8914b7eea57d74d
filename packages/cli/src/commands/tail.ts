import type { ErrorGroup, Level, StreamEvent } from '@service/protocol';
import { ApiError, UnreachableError, type ApiClient } from '@service/api-client';
import type { CommandContext, Options } from '../command.ts';
import { connect } from '../connect.ts';
import { selectCommandProject } from '../select-command-project.ts';
import { CommandError } from '../command-error.ts';
import type { Output } from '../output.ts';
import { printable } from '../printable.ts';
import { readEventStream, StreamInterruptedError } from '../read-event-stream.ts';

const levels: readonly Level[] = ['fatal', 'error', 'warning', 'info', 'debug'];
const reconnectMs = 1_000;
/** The server sends a comment every 15 seconds. */
const silentMs = 45_000;

/** Prints changes of errors until the process is stopped. Reconnects after an interruption, without a gap. */
export async function tail(context: CommandContext): Promise<void> {
  const { output, options, env } = context;
  if (options.level !== undefined && !levels.some((level) => level === options.level))
    throw new CommandError('usage', `The level can be ${levels.join(', ')}.`);
  const api = await connect(context);
  const project = options.project || env.SERVICE_PROJECT ? await selectCommandProject(api, context) : null;
  output.note(`Waiting for errors of ${project ? printable(project.name) : 'all projects'}. Stop with Ctrl+C.`);
  let lastId: string | null = null;
  let hasConnected = false;
  let isInterrupted = false;
  for (;;) {
    try {
      const stream = await openStream(api, project?.id, lastId);
      hasConnected = true;
      if (isInterrupted) output.note('Connected again.');
      isInterrupted = false;
      for await (const { id, data } of readEventStream(stream, silentMs)) {
        lastId = id ?? lastId;
        if (data !== null) printEvent(JSON.parse(data) as StreamEvent, data, options, output);
      }
    } catch (error) {
      // A server that was never reached is rather a wrong endpoint than an interruption.
      if (!hasConnected || !isTemporary(error)) throw error;
      const reason = (error as Error).message.replace(/\.$/, '');
      if (!isInterrupted) output.note(`The connection is interrupted (${printable(reason)}). Connecting again…`);
      isInterrupted = true;
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

function openStream(api: ApiClient, projectId: number | undefined, lastId: string | null): Promise<Response> {
  return api.open('/stream', { query: { project_id: projectId, last_event_id: lastId ?? undefined } });
}

function isTemporary(error: unknown): boolean {
  // The status 505 means that a proxy uses HTTP/1.0. A retry would fail, too.
  if (error instanceof ApiError) return error.status >= 500 && error.status !== 505;
  return error instanceof UnreachableError || error instanceof TypeError || error instanceof StreamInterruptedError;
}

function printEvent(event: StreamEvent, data: string, options: Options, output: Output): void {
  if (!('group' in event) || !matches(event.group, options)) return;
  if (output.isJson) return void process.stdout.write(`${data}\n`);
  const { error_group_id: id, type, message, culprit, count } = event.group;
  const change = event.type.replace('group.', '').padEnd(9);
  const title = printable(type === null || message.startsWith(type) ? message : `${type}: ${message}`);
  const where = culprit === null ? '' : ` · ${printable(culprit)}`;
  output.line(`${event.at.slice(11, 19)} ${change} #${id} ${title}${where} · ${count}×`);
}

function matches(group: ErrorGroup, { environment, release, level, search }: Options): boolean {
  if (environment !== undefined && !group.environments.includes(environment)) return false;
  if (release !== undefined && group.last_release !== release) return false;
  if (level !== undefined && group.level !== level) return false;
  const text = [group.type, group.message, group.culprit].filter(Boolean).join(' ').toLowerCase();
  return search === undefined || text.includes(search.toLowerCase());
}
