import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Services } from '../services.ts';
import type { RequestCounters } from '../observability/request-counters.ts';
import { version } from '../package-files/version.ts';
import { histogramText, metricText } from './exposition.ts';

/** What a server tells of itself, in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Opened when it is first asked for: from then on the event loop is watched, which takes a timer of its own. The rest is
 * counted all the time, in plain numbers, and only worded here.
 */
export function openMetrics(services: Services): Metrics {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return {
    contentType: ofProcess.contentType,
    text: async () => withoutNothing(await ofProcess.metrics()) + (await metricsOf(services)),
  };
}

/** Of an event loop that was not looked at yet, the mean is no number and the least is the largest that there is. */
function withoutNothing(text: string): string {
  return text.replaceAll(/^\S+ (?:Nan|92233720\d*(?:\.\d+)?)\n/gm, '');
}

async function metricsOf({ store, requestCounters, maps, stream }: Services): Promise<string> {
  const { model, writeMetrics, driver } = store;
  const cache = maps.usage();
  return [
    metricText('service_build_info', 'gauge', 'Always 1; the labels tell what runs.', [
      { value: 1, labels: { version, storage: driver.name.split(':')[0] ?? '' } },
    ]),
    metricText('service_reports_accepted_total', 'counter', 'Reports answered with 200, repeats included.', [
      { value: requestCounters.reportsAccepted },
    ]),
    metricText(
      'service_reports_refused_total',
      'counter',
      'Reports answered with a problem, by its code.',
      Array.from(requestCounters.reportsRefused, ([reason, value]) => ({ value, labels: { reason } })),
    ),
    histogramText('service_batch_decisions', 'Decisions written together in one append.', [
      { distribution: writeMetrics.batchTransactions },
    ]),
    histogramText('service_append_duration_seconds', 'How long an append took to be durable.', [
      { distribution: writeMetrics.appendSeconds },
    ]),
    metricText('service_append_failures_total', 'counter', 'Appends that the storage did not take.', [
      { value: writeMetrics.failures },
    ]),
    metricText('service_log_bytes', 'gauge', 'Bytes that the log takes in the storage.', [
      { value: driver.log.sizeBytes },
    ]),
    metricText('service_storage_ready', 'gauge', '1 if the storage takes what is written, as GET /readyz tells.', [
      { value: (await store.isReady()) ? 1 : 0 },
    ]),
    metricText('service_projects', 'gauge', 'Projects there are.', [{ value: model.tables.projects.size }]),
    metricText('service_groups', 'gauge', 'Error groups there are.', [{ value: model.groups.size }]),
    metricText('service_source_maps', 'gauge', 'Source maps there are.', [{ value: model.tables.source_maps.size }]),
    metricText('service_source_map_cache_hits_total', 'counter', 'Places in source maps that were known already.', [
      { value: cache.hits },
    ]),
    metricText('service_source_map_cache_misses_total', 'counter', 'Places in source maps that had to be looked up.', [
      { value: cache.misses },
    ]),
    metricText('service_source_map_cache_bytes', 'gauge', 'Bytes of source maps that are held in memory.', [
      { value: cache.bytes },
    ]),
    metricText('service_outbox_messages', 'gauge', 'Notifications that wait to be delivered.', [
      { value: model.tables.outbox.size },
    ]),
    metricText('service_stream_readers', 'gauge', 'Live streams that are open.', [{ value: stream.readers }]),
    metricText('service_stream_events_total', 'counter', 'Events sent, to each reader that got them.', [
      { value: stream.counts.events },
    ]),
    metricText('service_stream_readers_behind_total', 'counter', 'Readers cut off for taking too little.', [
      { value: stream.counts.behind },
    ]),
    ...requestMetrics(requestCounters),
  ].join('\n');
}

function requestMetrics(tally: RequestCounters): string[] {
  const requests = [...tally.requests.values()];
  return [
    metricText(
      'service_http_requests_total',
      'counter',
      'Requests answered, but for posted reports, by route and status.',
      requests.flatMap(({ method, route, byStatus }) =>
        Array.from(byStatus, ([status, value]) => ({ value, labels: { method, route, status } })),
      ),
    ),
    histogramText(
      'service_http_request_duration_seconds',
      'From the headers of a request to those of its answer.',
      requests.map(({ method, route, seconds }) => ({ distribution: seconds, labels: { method, route } })),
    ),
  ];
}
