import { signal, type Signal } from '@preact/signals';
import type { ErrorGroup, Page } from '@service/protocol';
import { get } from '../../api/call.ts';
import type { LiveEvent } from '../../live/follow-stream.ts';
import { matches, type GroupFilter } from './group-filter.ts';

export type Sort = 'last_seen' | 'first_seen' | 'count' | 'users';

export interface ListQuery {
  filter: GroupFilter;
  projectId: number | null;
  sort: Sort;
  order: 'desc' | 'asc';
  page: number;
}

/** Which rows there are, in their order. */
export interface View {
  ids: readonly number[];
  total: number;
  pages: number;
}

const pageSize = 50;
/** More than these are not told apart: they are read anew. */
const mostNews = 99;
/** Where only the server knows whether a group belongs into the list, it is asked, and not too often. */
const askAgainMs = 1_000;

/**
 * One page of groups, and what becomes of it. Each row is a signal of its own: what happens to a group redraws its row
 * and nothing else. Rows stay where they are while somebody points at them or has the focus there; what is new waits.
 */
export class GroupList {
  readonly query: ListQuery;
  readonly rows = new Map<number, Signal<ErrorGroup>>();
  /** Undefined until the first page is there. */
  readonly view = signal<View | undefined>(undefined);
  readonly error = signal<Error | undefined>(undefined);
  /** How many groups belong on top and are not there yet. */
  readonly news = signal(0);
  /** Whether somebody points at a row, or has the focus there. */
  isHeld: () => boolean;
  readonly #waiting = new Map<number, ErrorGroup>();
  /** What was heard while a page was on its way, which may be older. Null: none is. */
  #heard: LiveEvent[] | null = null;
  /** Waits for the next frame only. */
  readonly #urgent = new Set<number>();
  #turn = 0;
  /** Answers of this turn, and of those before it, come too late. */
  #past = 0;
  #frame = 0;
  #askAgain = 0;
  #countAgain = 0;
  /** Rows of groups that were deleted since the page was read. */
  #deleted = 0;
  /** Whether to read the page again once no row has the pointer or the focus. */
  #isOutdated = false;
  #isOnScreen = false;

  constructor(query: ListQuery, isHeld: () => boolean) {
    this.query = query;
    this.isHeld = isHeld;
  }

  get ids(): readonly number[] {
    return this.view.value?.ids ?? [];
  }

  /** Whether rows have left the list since its page was read: as many of the next page have moved up. */
  get hasGaps(): boolean {
    return this.#deleted > 0 || this.ids.some((id) => this.#hasLeft(this.rows.get(id)?.value));
  }

  async load(): Promise<void> {
    const turn = ++this.#turn;
    this.#heard ??= [];
    try {
      const page = await get<Page<ErrorGroup>>(`/errors?${this.#search()}`);
      if (turn <= this.#past) return;
      this.#past = turn;
      this.#show(page);
      for (const event of this.#heard ?? []) this.#follow(event);
      if (turn === this.#turn) this.#heard = null;
    } catch (error) {
      if (turn === this.#turn) this.error.value = error as Error;
    }
  }

  /** Begins to show the list, also once more. */
  start(): void {
    this.#isOnScreen = true;
    void this.load();
  }

  hear(event: LiveEvent): void {
    // Who comes back to the list finds its rows as they are by then, and all else is read then.
    if (!this.#isOnScreen && !this.rows.has(groupIdOf(event))) return;
    if (event.type === 'reset') return void this.load();
    this.#heard?.push(event);
    this.#follow(event);
  }

  #follow(event: LiveEvent): void {
    if (event.type === 'group.deleted') this.#remove(event.error_group_id);
    else if ('group' in event) {
      const { group, type } = event;
      const { status } = this.query.filter;
      const isNew = type === 'group.created' || (type === 'group.reopened' && status === 'active');
      // Of a group on another page only the server knows whether it was counted.
      if (!isNew && type !== 'group.updated' && status !== 'all' && !this.rows.has(group.error_group_id))
        this.#recount(group);
      this.#update(group, type, isNew);
    }
  }

  /** Closes the gaps that the reader's changes have left. Waits while a row has the pointer or the focus. */
  refill(): void {
    if (this.isHeld()) this.#isOutdated = true;
    else void this.load();
  }

  /** Called when pointer or focus have left the rows. */
  release(): void {
    if ((this.#isOutdated || this.hasGaps) && !this.isHeld()) void this.load();
  }

  /** Shows no rows until the page is read again, even if one has the pointer or the focus. */
  clear(): void {
    this.view.value = undefined;
  }

  readAgain(): void {
    this.clear();
    void this.load();
  }

  /** Shows what waits. */
  showNews(): void {
    if (this.#waiting.size >= mostNews || this.query.page > 1 || !this.#isNewestFirst()) return this.readAgain();
    this.#insert(Array.from(this.#waiting.values()));
  }

  /** On top, the last one first. */
  #insert(groups: readonly ErrorGroup[]): void {
    const arrived = groups.toReversed();
    const ids = new Set(arrived.map(({ error_group_id }) => error_group_id));
    for (const group of arrived) this.#put(group);
    this.#showRows({ ids: [...ids, ...this.ids.filter((id) => !ids.has(id))].slice(0, pageSize) });
    for (const id of ids) this.#forgetNew(id);
  }

  /** Ends its requests. What happens to its rows is followed all the same. */
  stop(): void {
    this.#isOnScreen = false;
    this.#past = this.#turn;
    clearTimeout(this.#askAgain);
    clearTimeout(this.#countAgain);
    cancelAnimationFrame(this.#frame);
    // It may be started again.
    this.#askAgain = this.#countAgain = this.#frame = 0;
  }

  #search(part: { page?: number; size?: number } = {}): string {
    const { filter, projectId, ...rest } = this.query;
    const { status, environment, release, words } = filter;
    const asked = { ...rest, size: pageSize, ...part, project_id: projectId, environment, release };
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...asked, search: words.slice(0, 200), status }))
      if (value && value !== 'all') params.set(name, `${value}`);
    return params.toString();
  }

  #show({ items, total, pages }: Page<ErrorGroup>): void {
    this.error.value = undefined;
    // Read again because the stream could not tell: whoever is at a row keeps it.
    if (this.view.value && this.isHeld()) this.#hold(items);
    else {
      for (const group of items) this.#put(group);
      this.#deleted = 0;
      this.#isOutdated = false;
      this.#showRows({ ids: items.map(({ error_group_id }) => error_group_id) });
      this.#waiting.clear();
      this.#tellNews();
    }
    this.view.value = { ids: this.ids, total, pages: Math.max(1, pages) };
  }

  #hold(items: readonly ErrorGroup[]): void {
    const isShown = ({ error_group_id }: ErrorGroup): boolean => this.ids.includes(error_group_id);
    const last = items.findLastIndex(isShown);
    items.forEach((group, index) => {
      if (isShown(group)) this.#put(group);
      // What comes after the last row has moved up from the next page, and is not new.
      else if (last < 0 || index < last) this.#wait(group);
    });
  }

  /** `isNew`: it was not counted before. */
  #update(group: ErrorGroup, type: LiveEvent['type'], isNew: boolean): void {
    const row = this.rows.get(group.error_group_id);
    if (row) {
      // Answers and events overtake each other: an older one changes nothing.
      if (group.count < row.value.count) return;
      this.#countOn(Number(this.#hasLeft(row.value)) - Number(this.#hasLeft(group)));
      row.value = group;
      return;
    }
    const { filter, projectId } = this.query;
    const isMatch = matches(group, filter, projectId);
    if (isMatch === false) return this.#forgetNew(group.error_group_id);
    const isNews = /created|reopened/.test(type);
    if (isNew && isMatch && !this.#waiting.has(group.error_group_id)) this.#countOn(1);
    if (isMatch === null) this.#ask();
    // Sorted by something else nobody expects the newest one on top.
    else if (this.#isNewestFirst() || isNews) this.#arrive(group, isNews);
  }

  #isNewestFirst(): boolean {
    return this.query.sort === 'last_seen' && this.query.order === 'desc';
  }

  /**
   * What is new or has come back is shown with the next frame, and all of it at once. What goes on happening would turn
   * the list over and over: it waits to be asked for.
   */
  #arrive(group: ErrorGroup, isNews: boolean): void {
    // However many wait, what is new and can be shown at once is.
    const isFull = this.#waiting.size >= mostNews && !this.#waiting.has(group.error_group_id);
    if (isFull && (!isNews || this.isHeld())) return;
    this.#wait(group);
    if (!isNews || this.query.page > 1 || !this.#isNewestFirst()) return;
    this.#urgent.add(group.error_group_id);
    if (this.#frame) return;
    const due = (): void => {
      this.#frame = 0;
      const groups = Array.from(this.#urgent, (id) => this.#waiting.get(id) ?? []).flat();
      this.#urgent.clear();
      if (!this.isHeld()) this.#insert(groups);
    };
    // A tab in the background has no frames, and is to know what happens all the same.
    if (document.hidden) due();
    else this.#frame = requestAnimationFrame(due);
  }

  #wait(group: ErrorGroup): void {
    const id = group.error_group_id;
    // The one that came last stands on top.
    if (this.#waiting.delete(id)) this.#waiting.set(id, group);
    else {
      this.#waiting.set(id, group);
      this.#tellNews();
    }
  }

  #ask(): void {
    this.#askAgain ||= setTimeout(() => {
      this.#askAgain = 0;
      void this.load();
    }, askAgainMs);
  }

  #put(group: ErrorGroup): void {
    const row = this.rows.get(group.error_group_id);
    if (row) row.value = group;
    else this.rows.set(group.error_group_id, signal(group));
  }

  #remove(id: number): void {
    this.#forgetNew(id);
    const row = this.rows.get(id);
    if (!row) return this.#recount();
    if (!this.#hasLeft(row.value)) this.#countOn(-1);
    this.#deleted++;
    this.#showRows({ ids: this.ids.filter((other) => other !== id) });
  }

  /** A group whose row is there, and that does not belong into the list any more. */
  #hasLeft(group: ErrorGroup | undefined): boolean {
    return !!group && matches(group, this.query.filter, this.query.projectId) === false;
  }

  #countOn(by: number): void {
    if (by) this.#setTotal((this.view.value?.total ?? 0) + by);
  }

  #setTotal(total: number): void {
    if (this.view.value)
      this.view.value = { ...this.view.value, total, pages: Math.max(1, Math.ceil(total / pageSize)) };
  }

  /** Asks how many groups there are, and moves no row. `changed`: a group that has another status now. */
  #recount(changed?: ErrorGroup): void {
    const { filter, projectId } = this.query;
    if (changed && matches(changed, { ...filter, status: 'all' }, projectId) === false) return;
    this.#countAgain ||= setTimeout(async () => {
      this.#countAgain = 0;
      const turn = this.#turn;
      const before = this.view.value?.total;
      try {
        const { total } = await get<Page<ErrorGroup>>(`/errors?${this.#search({ page: 1, size: 1 })}`);
        // A page that was requested in the meantime brings a newer count.
        if (turn !== this.#turn) return;
        // This count may be older than a change that came in before it.
        if (before === this.view.value?.total) this.#setTotal(total);
        else this.#recount();
      } catch {
        // The next page that is read brings the count.
      }
    }, askAgainMs);
  }

  #forgetNew(id: number): void {
    if (this.#waiting.delete(id)) this.#tellNews();
  }

  #tellNews(): void {
    this.news.value = this.#waiting.size;
  }

  #showRows(next: Partial<View>): void {
    const view = { ids: [], total: 0, pages: 1, ...this.view.value, ...next };
    const known = new Set(view.ids);
    for (const id of this.rows.keys()) if (!known.has(id)) this.rows.delete(id);
    this.view.value = view;
  }
}

function groupIdOf(event: LiveEvent): number {
  if ('group' in event) return event.group.error_group_id;
  return 'error_group_id' in event ? event.error_group_id : 0;
}
