import { limits } from '@service/protocol';
import type { JsonListener, TextUse } from '../map-index/json-scanner.ts';
import type { MapSink } from '../map-index/map-sink.ts';
import { MappingsCheck } from '../map-index/mappings-check.ts';
import { invalidMap, type InvalidMapError } from './invalid-map.ts';

const debugIdChars = 64;
/** A longer name of the minified file counts as absent. */
const fileBytes = 4_096;
/** Each section is a complete map. No bundler generates more than this number of sections. */
const maxSections = 10_000;

/** The facts about a map that do not require decoding its positions. */
export interface SourceMapFacts {
  /** The minified file that the map names. */
  file: string | null;
  debugId: string | null;
  sources: number;
  /** True if the map consists of sections. */
  isIndexMap: boolean;
}

/** The fields seen in a map or in the map of a section. */
class MapShape {
  readonly seen = new Set<string>();
  isVersion3 = false;
  sources: number | null = null;
  names = 0;
  mappings: MappingsCheck | null = null;
  sections: number | null = null;
}

/** The part of the map that is being read. A field that is not needed is `unread`, with everything in it. */
type JsonContext =
  | 'map'
  | 'sources'
  | 'names'
  | 'sourcesContent'
  | 'ignoreList'
  | 'sections'
  | 'section'
  | 'offset'
  | 'unread';

/**
 * Checks the fields of a map while its JSON is read, and forwards its content to a sink. Throws an `InvalidMapError`
 * at the first field that is wrong.
 */
export class MapStructure implements JsonListener {
  readonly #sink: MapSink | null;
  readonly #contexts: JsonContext[] = [];
  readonly #top = new MapShape();
  /** The map that is being read: the whole map, or that of a section. */
  #map = this.#top;
  #key: string | null = null;
  #file: string | null = null;
  #debugId: string | null = null;
  #debugIdOfOld: string | null = null;
  #sourcesOfSections = 0;
  // Counted over all sections, because the indexer stores a little of each until the end.
  #contents = 0;
  #ignored = 0;
  #section = new SectionShape();
  #before = { line: 0, column: 0 };

  constructor(sink: MapSink | null) {
    this.#sink = sink;
  }

  facts(): SourceMapFacts {
    const { sections, sources } = this.#top;
    return {
      file: this.#file || null,
      debugId: this.#debugId || this.#debugIdOfOld || null,
      sources: sections === null ? (sources ?? 0) : this.#sourcesOfSections,
      isIndexMap: sections !== null,
    };
  }

  inKey(name: string | null): void {
    const context = this.#contexts.at(-1);
    this.#key = name;
    if (name === null) return;
    if (context === 'map') assertOnce(this.#map.seen, name, mapFields);
    else if (context === 'section') assertOnce(this.#section.seen, name, sectionFields);
    else if (context === 'offset') assertOnce(this.#section.seenOfOffset, name, offsetFields);
  }

  object(): void {
    this.#contexts.push(this.#contextOfObject());
  }

  #contextOfObject(): JsonContext {
    const context = this.#contexts.at(-1);
    switch (context) {
      case undefined:
        this.#sink?.beginMap();
        return 'map';
      case 'sections':
        this.#section = new SectionShape();
        this.#top.sections = (this.#top.sections ?? 0) + 1;
        if (this.#top.sections > maxSections) throw invalidMap(`It has more than ${maxSections} sections.`);
        return 'section';
      case 'section':
        if (this.#key === 'offset') return 'offset';
        if (this.#key === 'map') {
          this.#section.hasMap = true;
          this.#map = new MapShape();
          this.#sink?.beginMap();
          return 'map';
        }
        this.#assertUnread();
        return 'unread';
      default:
        this.#assertUnread();
        return 'unread';
    }
  }

  list(): void {
    const context = this.#contexts.at(-1);
    if (context === undefined) throw notObject();
    if (context === 'map' && (this.#key === 'sources' || this.#key === 'names' || this.#key === 'sourcesContent')) {
      if (this.#key === 'sources') this.#map.sources = 0;
      this.#contexts.push(this.#key);
    } else if (context === 'map' && (this.#key === 'ignoreList' || this.#key === 'x_google_ignoreList')) {
      this.#contexts.push('ignoreList');
    } else if (context === 'map' && this.#key === 'sections') {
      if (this.#map !== this.#top) throw noMapInSection();
      this.#map.sections = 0;
      this.#contexts.push('sections');
    } else {
      this.#assertUnread();
      this.#contexts.push('unread');
    }
  }

  end(): void {
    const context = this.#contexts.pop();
    if (context === 'section') this.#endSection();
    else if (context === 'map') this.#endMap();
  }

  inText(): TextUse {
    const context = this.#contexts.at(-1);
    switch (context) {
      case undefined:
        throw notObject();
      case 'sources':
        this.#count(context);
        return this.#sink?.beginSource() ?? 'skip';
      case 'sourcesContent':
        this.#count(context);
        return this.#sink?.beginContent() ?? 'skip';
      case 'names':
        this.#count(context);
        return 'skip';
      case 'map':
        return this.#fieldText();
      case 'section':
        if (this.#key === 'url') return 1;
        this.#assertUnread();
        return 'skip';
      default:
        this.#assertUnread();
        return 'skip';
    }
  }

  #fieldText(): TextUse {
    switch (this.#key) {
      case 'version':
        return 1;
      case 'mappings':
        return (this.#map.mappings = new MappingsCheck(this.#sink));
      case 'sourceRoot':
        return this.#sink?.beginSourceRoot() ?? 'skip';
      case 'file':
        return fileBytes;
      case 'debugId':
      case 'debug_id':
        // A character takes at most six bytes, written as an escape.
        return debugIdChars * 6;
      default:
        this.#assertUnread();
        return 'skip';
    }
  }

  textEnd(kept: string | null): void {
    const context = this.#contexts.at(-1);
    if (context === 'section' && this.#key === 'url' && kept !== '') throw noMapInSection();
    if (context === 'sources') this.#sink?.endSource();
    if (context === 'sourcesContent') this.#sink?.endContent();
    if (context !== 'map') return;
    if (this.#key === 'version') {
      this.#map.isVersion3 = kept === '3';
    } else if (this.#key === 'sourceRoot') {
      this.#sink?.endSourceRoot();
    } else if (this.#key === 'mappings') {
      this.#map.mappings?.finish();
    } else if (this.#map !== this.#top) {
      return;
    } else if (this.#key === 'file') {
      this.#file = kept;
    } else if (this.#key === 'debugId') {
      this.#debugId = debugId(kept);
    } else if (this.#key === 'debug_id') {
      this.#debugIdOfOld = debugId(kept);
    }
  }

  scalar(value: number | boolean | null): void {
    const context = this.#contexts.at(-1);
    if (context === undefined) throw notObject();
    if (context === 'sources' || context === 'names' || context === 'sourcesContent') {
      if (value !== null) throw notTexts(context);
      this.#count(context);
      if (context === 'sources') this.#sink?.sourceWithoutName();
      else if (context === 'sourcesContent') this.#sink?.noContent();
    } else if (context === 'ignoreList') {
      // `source-map` does not read this list, so a map with other values in it is not rejected.
      if (!isSource(value)) return;
      // A source may be in the lists of both spellings.
      if (++this.#ignored > 2 * limits.sourceMapSources) throw tooManyIgnored();
      this.#sink?.ignore(value);
    } else if (context === 'map') {
      if (this.#key === 'version') this.#map.isVersion3 = value === 3;
      else if (value !== null || !(this.#key !== null && mayBeNull.has(this.#key))) this.#assertUnread();
    } else if (context === 'offset' && (this.#key === 'line' || this.#key === 'column')) {
      if (!Number.isSafeInteger(value) || (value as number) < 0) throw noOffset();
      this.#section.offset[this.#key] = value as number;
    } else if (context === 'section' && this.#key === 'url') {
      if (value) throw noMapInSection();
    } else {
      this.#assertUnread();
    }
  }

  #count(context: 'sources' | 'names' | 'sourcesContent'): void {
    const map = this.#map;
    if (context === 'names') {
      map.names++;
    } else if (context === 'sourcesContent') {
      if (++this.#contents > limits.sourceMapSources) throw tooManyContents();
    } else {
      map.sources = (map.sources ?? 0) + 1;
      if (map.sources + this.#sourcesOfSections > limits.sourceMapSources) throw tooManySources();
    }
  }

  #endMap(): void {
    const map = this.#map;
    if (!map.isVersion3) throw invalidMap('Its version is not 3.');
    if (map.sections === null) {
      if (!map.mappings) throw invalidMap('It has no mappings.');
      if (map.sources === null) throw notTexts('sources');
      if (map.mappings.sources > map.sources) throw invalidMap('Its mappings refer to a source that it does not have.');
      if (map.mappings.names > map.names) throw invalidMap('Its mappings refer to a name that it does not have.');
    }
    if (map === this.#top) return;
    this.#sourcesOfSections += map.sources ?? 0;
    this.#map = this.#top;
  }

  #endSection(): void {
    const { hasMap, offset } = this.#section;
    const { line, column } = offset;
    if (line === null || column === null) throw noOffset();
    if (!hasMap) throw noMapInSection();
    if (line < this.#before.line || (line === this.#before.line && column < this.#before.column))
      throw invalidMap('Its sections are not in order.');
    this.#before = { line, column };
    this.#sink?.section(line, column);
  }

  /** Throws if a field of the map cannot have a value of this kind. */
  #assertUnread(): void {
    const context = this.#contexts.at(-1);
    if (context === 'unread') return;
    if (context === 'sources' || context === 'names' || context === 'sourcesContent') throw notTexts(context);
    if (context === 'sections') throw noOffset();
    if (context === 'offset' && (this.#key === 'line' || this.#key === 'column')) throw noOffset();
    if (context === 'section') {
      if (this.#key === 'offset') throw noOffset();
      if (this.#key === 'map' || this.#key === 'url') throw noMapInSection();
    }
    if (context !== 'map') return;
    switch (this.#key) {
      case 'version':
        throw invalidMap('Its version is not 3.');
      case 'mappings':
        throw invalidMap('It has no mappings.');
      case 'sources':
      case 'names':
      case 'sourcesContent':
        throw notTexts(this.#key);
      case 'sections':
        throw this.#map === this.#top ? invalidMap('Its sections are not a list.') : noMapInSection();
      case 'sourceRoot':
        throw invalidMap('Its sourceRoot is not a string.');
    }
  }
}

class SectionShape {
  readonly seen = new Set<string>();
  readonly seenOfOffset = new Set<string>();
  readonly offset: { line: number | null; column: number | null } = { line: null, column: null };
  hasMap = false;
}

const mapFields = new Set([
  'version',
  'sources',
  'names',
  'sourcesContent',
  'mappings',
  'sections',
  'sourceRoot',
  'file',
  'debugId',
  'debug_id',
]);
const sectionFields = new Set(['offset', 'map', 'url']);
const offsetFields = new Set(['line', 'column']);
const mayBeNull = new Set(['sections', 'sourcesContent', 'sourceRoot']);

/** Throws if a field occurs twice: two readers might use two different values. */
function assertOnce(seen: Set<string>, name: string, fields: ReadonlySet<string>): void {
  if (!fields.has(name)) return;
  if (seen.has(name)) throw invalidMap(`It has ${name} twice.`);
  seen.add(name);
}

function isSource(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < limits.sourceMapSources;
}

function debugId(kept: string | null): string {
  if (kept === null || kept.length > debugIdChars)
    throw invalidMap(`Its debug id is longer than ${debugIdChars} characters.`);
  return kept;
}

const notTexts = (field: 'sources' | 'names' | 'sourcesContent'): InvalidMapError =>
  invalidMap(field === 'sources' ? 'Its sources are not a list of names.' : `Its ${field} are not a list of strings.`);
const notObject = (): InvalidMapError => invalidMap('It is not a JSON object.');
const noOffset = (): InvalidMapError => invalidMap('A section has no valid offset.');
const noMapInSection = (): InvalidMapError => invalidMap('A section contains no map.');
const tooManySources = (): InvalidMapError => invalidMap(`It names more than ${limits.sourceMapSources} sources.`);
const tooManyContents = (): InvalidMapError =>
  invalidMap(`It has more than ${limits.sourceMapSources} entries in sourcesContent.`);
const tooManyIgnored = (): InvalidMapError =>
  invalidMap(`It ignores more than ${2 * limits.sourceMapSources} sources.`);
