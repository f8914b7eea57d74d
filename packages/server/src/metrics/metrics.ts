import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Services } from '../services.ts';
import type { RequestCounters } from '../observability/request-counters.ts';
import { version } from '../package-files/version.ts';
import { histogramText, metricText } from './exposition.ts';

/** The metrics of a server, in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

/**
 * Opens the metrics. Called on the first request, because watching the event loop takes a timer. Other values are
 * counted as plain numbers at all times and only formatted here.
 */
export function openMetrics(services: Services): Metrics {
  const processMetrics = new Registry();
  collectDefaultMetrics({ register: processMetrics });
  return {
    contentType: processMetrics.contentType,
    text: async () => removeEmptyValues(await processMetrics.metrics()) + (await metricsOf(services)),
  };
}

/** Removes values of an event loop without samples: its mean is NaN and its minimum the largest integer. */
function removeEmptyValues(text: string): string {
  return text.replaceAll(/^\S+ (?:Nan|92233720\d*(?:\.\d+)?)\n/gm, '');
}

async function metricsOf({
  store,
  requestCounters,
  droppedItems,
  mapReader,
  stream,
  storageBudget,
  reportLimits,
  reportQueue,
}: Services): Promise<string> {
  const { model, writeMetrics, driver } = store;
  const cache = mapReader.usage();
  return [
    metricText('service_build_info', 'gauge', 'Always 1; the labels name version and storage.', [
      { value: 1, labels: { version, storage: driver.name.split(':')[0] ?? '' } },
    ]),
    metricText('service_reports_accepted_total', 'counter', 'Reports accepted with 200, including duplicates.', [
      { value: requestCounters.reportsAccepted },
    ]),
    metricText(
      'service_reports_refused_total',
      'counter',
      'Reports rejected, by problem code.',
      Array.from(requestCounters.reportsRejected, ([reason, value]) => ({ value, labels: { reason } })),
    ),
    metricText(
      'service_sentry_items_dropped_total',
      'counter',
      'What SDKs of Sentry sent besides errors, by project and kind. It is not stored.',
      droppedItems
        .allSent((projectId) => model.tables.projects.get(projectId) !== undefined)
        .map(({ projectId, kind, count: value }) => ({ value, labels: { project_id: projectId, kind } })),
    ),
    metricText('service_reports_not_stored_total', 'counter', 'Reports counted, but over the storage budget.', [
      { value: storageBudget.unstoredCount },
    ]),
    metricText('service_reports_evicted_total', 'counter', 'Stored reports deleted: their project stored too much.', [
      { value: store.evictedReports },
    ]),
    metricText('service_stored_report_bytes', 'gauge', 'Bytes of all stored reports.', [{ value: model.storedBytes }]),
    metricText(
      'service_reports_address_limited_total',
      'counter',
      'Reports rejected: their IP address has sent too many reports or bytes.',
      [{ value: reportLimits.rejectedCount }],
    ),
    metricText('service_reports_crowded_out_total', 'counter', 'Reports rejected: too many or too large ones waited.', [
      { value: reportQueue.rejectedCount },
    ]),
    histogramText('service_batch_decisions', 'Transactions written in one append.', [
      { distribution: writeMetrics.batchTransactions },
    ]),
    histogramText('service_append_duration_seconds', 'Seconds until an append was durable.', [
      { distribution: writeMetrics.appendSeconds },
    ]),
    metricText('service_append_failures_total', 'counter', 'Appends that the storage rejected.', [
      { value: writeMetrics.failures },
    ]),
    metricText('service_log_bytes', 'gauge', 'Bytes of the log in the storage.', [{ value: driver.log.sizeBytes }]),
    ...(Number.isFinite(store.room.bytes)
      ? [metricText('service_storage_room_bytes', 'gauge', 'Free bytes of the storage.', [{ value: store.room.bytes }])]
      : []),
    metricText('service_storage_ready', 'gauge', '1 if the storage accepts writes, like GET /readyz.', [
      { value: (await store.isReady()) ? 1 : 0 },
    ]),
    metricText('service_projects', 'gauge', 'Number of projects.', [{ value: model.tables.projects.size }]),
    metricText('service_groups', 'gauge', 'Number of error groups.', [{ value: model.groups.size }]),
    metricText('service_source_maps', 'gauge', 'Number of source maps.', [{ value: model.tables.source_maps.size }]),
    metricText('service_source_map_cache_hits_total', 'counter', 'Source map lookups served from the cache.', [
      { value: cache.hits },
    ]),
    metricText('service_source_map_cache_misses_total', 'counter', 'Source map lookups that missed the cache.', [
      { value: cache.misses },
    ]),
    metricText('service_source_map_cache_bytes', 'gauge', 'Bytes of source maps in memory.', [{ value: cache.bytes }]),
    metricText('service_outbox_messages', 'gauge', 'Notifications that wait for delivery.', [
      { value: model.tables.outbox.size },
    ]),
    metricText('service_stream_readers', 'gauge', 'Open live streams.', [{ value: stream.subscriberCount }]),
    metricText('service_stream_events_total', 'counter', 'Events sent, counted per subscriber.', [
      { value: stream.counts.events },
    ]),
    metricText('service_stream_readers_behind_total', 'counter', 'Subscribers closed for reading too slowly.', [
      { value: stream.counts.slowDisconnects },
    ]),
    ...requestMetrics(requestCounters),
  ].join('\n');
}

function requestMetrics(counters: RequestCounters): string[] {
  const requests = [...counters.requests.values()];
  return [
    metricText(
      'service_http_requests_total',
      'counter',
      'Requests other than posted reports, by route and status.',
      requests.flatMap(({ method, route, byStatus }) =>
        Array.from(byStatus, ([status, value]) => ({ value, labels: { method, route, status } })),
      ),
    ),
    histogramText(
      'service_http_request_duration_seconds',
      'From the headers of a request to those of its response.',
      requests.map(({ method, route, seconds }) => ({ distribution: seconds, labels: { method, route } })),
    ),
  ];
}
