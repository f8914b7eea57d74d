import { attempt, readProperty, readText } from './guard.ts';
import { classOf, normalize } from './normalize.ts';
import type { Report } from './report.ts';
import { isEvent, type Thrown } from './unwrap-event.ts';

/** The fields of a report that describe the error. */
export interface ErrorFields {
  /** The error's class; absent if the thrown value is not an error. */
  type?: string | undefined;
  message: string;
  /**
   * `Type: message` and the frames below it, innermost first, in the format of the engine. The same follows for each
   * cause and each member of an AggregateError. Absent for a value that is not an error, unless an event gave a location.
   */
  stacktrace?: string | undefined;
}

/** Converts a thrown value into the fields of a report. Follows up to five causes. Never throws. */
export function errorToReport({ value, location }: Thrown): ErrorFields {
  const [error, ...causes] = [...withCauses(value)].map((each) => describe(each));
  const { type, message } = error!;
  const own = type ? section(error!, location) : location;
  const sections = [own ?? '', ...causes.map((cause) => `Caused by: ${section(cause)}`)];
  return { type, message, stacktrace: sections.join('\n') || undefined };
}

/** Returns a value with its causes and the members of an AggregateError, in order. A Set ends a cycle. */
function withCauses(value: unknown): Set<unknown> {
  const errors = new Set([value]);
  for (const error of errors) {
    const members = readProperty(error, 'errors');
    for (const inner of [readProperty(error, 'cause'), ...(Array.isArray(members) ? members.slice(0, 5) : [])]) {
      if (inner && errors.size < 6) errors.add(inner);
    }
  }
  return errors;
}

interface Description {
  type?: string | undefined;
  message: string;
  frames?: string | undefined;
}

function describe(value: unknown): Description {
  const message = readProperty(value, 'message');
  const isError = typeof message === 'string';
  const text = isError ? message : attempt(() => describeValue(value));
  // Browsers put `Uncaught` before the message of an event.
  const title = text?.slice(0, 5_000).replace(/^uncaught (ex\w+: )?/i, '') || 'Error';
  if (!isError) return { message: title };
  // Chrome writes `Type: message` above the frames, as of the creation of the error; Firefox and WebKit do not.
  const frames = readText(value, 'stack')?.replace(/^[^]*?\n(?= +at )|^[^@]*$/, '');
  return { type: readText(value, 'name') ?? 'Error', message: title, frames: frames || undefined };
}

/** Describes a thrown value that is not an error by what tells it apart from others. */
function describeValue(value: unknown): string {
  if (isEvent(value)) {
    const target = readProperty(value, 'target');
    const source = readText(target, 'src') ?? readText(target, 'href') ?? '';
    return `${classOf(value)} ${readText(value, 'type')} of ${classOf(target)} ${source}`.trim();
  }
  const name = classOf(value);
  if (name === 'Response') return `Response ${readProperty(value, 'status')} ${readText(value, 'url') ?? ''}`.trim();
  return typeof value === 'object' ? JSON.stringify(normalize(value)) : String(value);
}

function section({ type, message, frames }: Description, location?: string): string {
  const title = type ? `${type}: ${message}` : message;
  return [title, frames ?? location].filter(Boolean).join('\n');
}

const describedProperties = /^(name|message|stack|cause|errors|toJSON)$/;

/** Adds the other own properties of an error, such as `code` and `status`, to the metadata, as `error`. */
export function withErrorProperties(metadata: Report['metadata'], value: unknown): Report['metadata'] {
  if (typeof readProperty(value, 'message') !== 'string') return metadata;
  const names = attempt(() => Object.keys(Object(value)).filter((name) => !describedProperties.test(name))) ?? [];
  const properties = names.map((name) => [name, readProperty(value, name)] as const);
  const error = properties.filter(([, property]) => property != null && typeof property !== 'function');
  return error.length > 0 ? { error: Object.fromEntries(error), ...metadata } : metadata;
}
