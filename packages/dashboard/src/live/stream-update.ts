import type { StreamEvent } from '@service/protocol';

export type LiveState =
  | { kind: 'connecting' | 'reconnecting' | 'offline' }
  /** `missed` counts the events that were replayed after the last reconnect. */
  | { kind: 'live'; missed: number }
  /** `status` is the HTTP status with which the server rejects the stream. */
  | { kind: 'stopped'; status: number };

/** An event of the stream, without the time, which the dashboard does not use. */
export type LiveEvent = StreamEvent extends infer Event
  ? Event extends StreamEvent
    ? Omit<Event, 'at'>
    : never
  : never;

/** A change of the connection's state, an event, or a new position. */
export interface StreamUpdate {
  state?: LiveState;
  event?: LiveEvent;
  position?: string | null;
}

export type UpdateListener = (update: StreamUpdate) => void;

/** Returns an event that makes every subscriber load its data again. */
export const resetEvent = (reason?: 'signed_out'): LiveEvent => ({ type: 'reset', project_id: null, reason });
