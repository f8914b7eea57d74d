import { signal, type Signal } from '@preact/signals';
import type { ErrorGroup, Page } from '@service/protocol';
import { get } from '../../api/call.ts';
import type { LiveEvent } from '../../live/stream-update.ts';
import { filterParams, matches, type GroupFilter } from '../filter/group-filter.ts';

export type Sort = 'last_seen' | 'first_seen' | 'count' | 'users';

export interface ListQuery {
  filter: GroupFilter;
  projectId: number | null;
  sort: Sort;
  order: 'desc' | 'asc';
  page: number;
}

/** The rows on screen in their order, and the size of the whole list. */
export interface View {
  ids: readonly number[];
  total: number;
  pages: number;
}

const listPageSize = 50;
/** The pending groups of a kind are counted up to this number. The list is then loaded again instead of extended. */
const maxPendingGroups = 100;
/** If only the server can decide whether a group matches, the list is reloaded at most once in this time. */
const listReloadPauseMs = 1_000;

/**
 * One page of groups, kept current by live events. Each row is a signal, so an event redraws one row only. While the
 * pointer or the focus is on a row, no row moves: new groups stay pending.
 */
export class GroupList {
  readonly query: ListQuery;
  readonly rows = new Map<number, Signal<ErrorGroup>>();
  /** Undefined until the page is loaded, and after `clear` until it is loaded again. */
  readonly view = signal<View | undefined>(undefined);
  readonly error = signal<Error | undefined>(undefined);
  /** Number of groups that were created or reopened and are not shown yet. */
  readonly newCount = signal(0);
  /** Number of other groups that belong at the top because they got another report. */
  readonly updatedCount = signal(0);
  /** Returns whether the pointer or the focus is on a row. */
  isInUse: () => boolean;
  readonly #pending = new Map<number, ErrorGroup>();
  /** Groups that were created or reopened since the page was loaded. */
  readonly #createdOrReopened = new Set<number>();
  /**
   * The events since a request was sent. Its response may be older than these events. Null if no request is in flight.
   */
  #eventsSinceRequest: LiveEvent[] | null = null;
  /** Pending groups that the next frame shows. */
  readonly #dueNextFrame = new Set<number>();
  #lastRequest = 0;
  /** Responses to this request and to earlier ones are outdated. */
  #lastResponse = 0;
  #frame = 0;
  #reloadTimer = 0;
  #recountTimer = 0;
  /** Number of rows deleted since the page was loaded. */
  #deletedRows = 0;
  /** True if the page must be loaded again once no row is in use. */
  #needsReload = false;
  #isOnScreen = false;

  constructor(query: ListQuery, isInUse: () => boolean) {
    this.query = query;
    this.isInUse = isInUse;
  }

  get ids(): readonly number[] {
    return this.view.value?.ids ?? [];
  }

  /** Returns whether rows have left the list since the page was loaded. As many have moved up from the next page. */
  get hasGaps(): boolean {
    return this.#deletedRows > 0 || this.ids.some((id) => this.#hasLeft(this.rows.get(id)?.value));
  }

  async load(): Promise<void> {
    const request = ++this.#lastRequest;
    this.#eventsSinceRequest ??= [];
    try {
      const page = await get<Page<ErrorGroup>>(`/errors?${this.#queryString()}`);
      if (request <= this.#lastResponse) return;
      this.#lastResponse = request;
      this.#showPage(page);
      for (const event of this.#eventsSinceRequest ?? []) this.#apply(event);
      if (request === this.#lastRequest) this.#eventsSinceRequest = null;
    } catch (error) {
      if (request === this.#lastRequest) this.error.value = error as Error;
    }
  }

  /** Called each time the list is shown, also after `stop`. */
  start(): void {
    this.#isOnScreen = true;
    void this.load();
  }

  handleEvent(event: LiveEvent): void {
    // A hidden list keeps its rows current, and loads everything else when it is shown again.
    if (!this.#isOnScreen && !this.rows.has(groupIdOf(event))) return;
    if (event.type === 'reset') return void this.load();
    this.#eventsSinceRequest?.push(event);
    this.#apply(event);
  }

  #apply(event: LiveEvent): void {
    // A smaller count looks like that of an older event, so only a reload shows what unmerging has left.
    if (/merged/.test(event.type)) this.#reloadSoon();
    if (event.type === 'group.deleted' || event.type === 'group.merged') this.#removeGroup(event.error_group_id);
    else if ('group' in event) {
      const { group, type } = event;
      const { status } = this.query.filter;
      const isNew = type === 'group.created' || (type === 'group.reopened' && status === 'active');
      // Only the server knows whether a group on another page was part of the total.
      if (!isNew && type !== 'group.updated' && status !== 'all' && !this.rows.has(group.error_group_id))
        this.#recountSoon(group);
      this.#updateGroup(group, type, isNew);
    }
  }

  /** Fills the gaps that the user's changes have left, once no row is in use. */
  fillGaps(): void {
    if (this.isInUse()) this.#needsReload = true;
    else void this.load();
  }

  /** Called when the pointer or the focus has left the rows. */
  onRowsLeft(): void {
    if ((this.#needsReload || this.hasGaps) && !this.isInUse()) void this.load();
  }

  /** Hides the rows until the page is loaded again, even if one is in use. */
  clear(): void {
    this.view.value = undefined;
  }

  clearAndLoad(): void {
    this.clear();
    void this.load();
  }

  /** Shows the pending groups. */
  showNew(): void {
    if (this.#pending.size >= maxPendingGroups || this.query.page > 1 || !this.#isNewestFirst())
      return this.clearAndLoad();
    this.#insertAtTop(Array.from(this.#pending.values()));
  }

  /** Inserts groups at the top, the last one first. */
  #insertAtTop(groups: readonly ErrorGroup[]): void {
    const newestFirst = groups.toReversed();
    const ids = new Set(newestFirst.map(({ error_group_id }) => error_group_id));
    for (const group of newestFirst) this.#setRow(group);
    this.#setView({ ids: [...ids, ...this.ids.filter((id) => !ids.has(id))].slice(0, listPageSize) });
    for (const id of ids) this.#removePending(id);
  }

  /** Called when the list is hidden. Drops its requests. Events still update its rows. */
  stop(): void {
    this.#isOnScreen = false;
    this.#lastResponse = this.#lastRequest;
    clearTimeout(this.#reloadTimer);
    clearTimeout(this.#recountTimer);
    cancelAnimationFrame(this.#frame);
    // After the next `start`, these must not look as if they were still scheduled.
    this.#reloadTimer = this.#recountTimer = this.#frame = 0;
  }

  #queryString(override: { page?: number; size?: number } = {}): string {
    const { filter, projectId, ...rest } = this.query;
    const query = { ...rest, size: listPageSize, ...override, project_id: projectId, ...filterParams(filter) };
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      for (const one of [value ?? ''].flat()) if (one) params.append(name, `${one}`);
    return params.toString();
  }

  #showPage({ items, total, pages }: Page<ErrorGroup>): void {
    this.error.value = undefined;
    // A reload that the user did not ask for must not move the rows in use.
    if (this.view.value && this.isInUse()) this.#updateRowsInPlace(items);
    else {
      for (const group of items) this.#setRow(group);
      this.#deletedRows = 0;
      this.#needsReload = false;
      this.#setView({ ids: items.map(({ error_group_id }) => error_group_id) });
      this.#pending.clear();
      this.#createdOrReopened.clear();
      this.#countPending();
    }
    this.view.value = { ids: this.ids, total, pages: Math.max(1, pages) };
  }

  #updateRowsInPlace(items: readonly ErrorGroup[]): void {
    const isShown = ({ error_group_id }: ErrorGroup): boolean => this.ids.includes(error_group_id);
    const lastShown = items.findLastIndex(isShown);
    items.forEach((group, index) => {
      if (isShown(group)) this.#setRow(group);
      // Groups after the last row have moved up from the next page. They are not new.
      else if (lastShown < 0 || index < lastShown) this.#addPending(group);
    });
  }

  /** `isNew` says that the total did not include the group before. */
  #updateGroup(group: ErrorGroup, type: LiveEvent['type'], isNew: boolean): void {
    const row = this.rows.get(group.error_group_id);
    if (row) {
      // Responses and events can arrive in any order. An older one changes nothing.
      if (group.count < row.value.count) return;
      this.#changeTotal(Number(this.#hasLeft(row.value)) - Number(this.#hasLeft(group)));
      row.value = group;
      return;
    }
    const { filter, projectId } = this.query;
    const isMatch = matches(group, filter, projectId);
    if (isMatch === false) return this.#removePending(group.error_group_id);
    const isCreatedOrReopened = /created|reopened/.test(type);
    if (isNew && isMatch && !this.#pending.has(group.error_group_id)) this.#changeTotal(1);
    if (isCreatedOrReopened) this.#createdOrReopened.add(group.error_group_id);
    if (isMatch === null) this.#reloadSoon();
    // In another order, an updated group does not belong at the top.
    else if (this.#isNewestFirst() || isCreatedOrReopened) this.#enqueue(group, isCreatedOrReopened);
  }

  #isNewestFirst(): boolean {
    return this.query.sort === 'last_seen' && this.query.order === 'desc';
  }

  /**
   * Shows created and reopened groups with the next frame, all at once. Groups that only got another report stay
   * pending until the user asks for them. They would reorder the list all the time.
   */
  #enqueue(group: ErrorGroup, isCreatedOrReopened: boolean): void {
    // A group that can be shown at once is accepted even if there are too many pending ones.
    const { value: count } = isCreatedOrReopened ? this.newCount : this.updatedCount;
    const isFull = count >= maxPendingGroups && !this.#pending.has(group.error_group_id);
    if (isFull && (!isCreatedOrReopened || this.isInUse())) return;
    this.#addPending(group);
    if (!isCreatedOrReopened || this.query.page > 1 || !this.#isNewestFirst()) return;
    this.#dueNextFrame.add(group.error_group_id);
    if (this.#frame) return;
    const showDue = (): void => {
      this.#frame = 0;
      const groups = Array.from(this.#dueNextFrame, (id) => this.#pending.get(id) ?? []).flat();
      this.#dueNextFrame.clear();
      if (!this.isInUse()) this.#insertAtTop(groups);
    };
    // A tab in the background gets no frames, but its list must still be current.
    if (document.hidden) showDue();
    else this.#frame = requestAnimationFrame(showDue);
  }

  #addPending(group: ErrorGroup): void {
    const id = group.error_group_id;
    // Deleting it first moves it to the end of the map, which is shown at the top.
    this.#pending.delete(id);
    this.#pending.set(id, group);
    this.#countPending();
  }

  #reloadSoon(): void {
    this.#reloadTimer ||= setTimeout(() => {
      this.#reloadTimer = 0;
      void this.load();
    }, listReloadPauseMs);
  }

  #setRow(group: ErrorGroup): void {
    const row = this.rows.get(group.error_group_id);
    if (row) row.value = group;
    else this.rows.set(group.error_group_id, signal(group));
  }

  #removeGroup(id: number): void {
    this.#removePending(id);
    const row = this.rows.get(id);
    if (!row) return this.#recountSoon();
    if (!this.#hasLeft(row.value)) this.#changeTotal(-1);
    this.#deletedRows++;
    this.#setView({ ids: this.ids.filter((other) => other !== id) });
  }

  /** Returns whether a group has a row but no longer matches. */
  #hasLeft(group: ErrorGroup | undefined): boolean {
    return !!group && matches(group, this.query.filter, this.query.projectId) === false;
  }

  #changeTotal(by: number): void {
    if (by) this.#setTotal((this.view.value?.total ?? 0) + by);
  }

  #setTotal(total: number): void {
    if (this.view.value)
      this.view.value = { ...this.view.value, total, pages: Math.max(1, Math.ceil(total / listPageSize)) };
  }

  /** Requests the total without moving a row. `changed` is a group whose status has changed. */
  #recountSoon(changed?: ErrorGroup): void {
    const { filter, projectId } = this.query;
    if (changed && matches(changed, { ...filter, status: 'all' }, projectId) === false) return;
    this.#recountTimer ||= setTimeout(async () => {
      this.#recountTimer = 0;
      const request = this.#lastRequest;
      const previousTotal = this.view.value?.total;
      try {
        const { total } = await get<Page<ErrorGroup>>(`/errors?${this.#queryString({ page: 1, size: 1 })}`);
        // A page that was requested in the meantime has a newer total.
        if (request !== this.#lastRequest) return;
        // If an event has changed the total in the meantime, this response may be older.
        if (previousTotal === this.view.value?.total) this.#setTotal(total);
        else this.#recountSoon();
      } catch {
        // The next page that is loaded has the total.
      }
    }, listReloadPauseMs);
  }

  #removePending(id: number): void {
    this.#createdOrReopened.delete(id);
    if (this.#pending.delete(id)) this.#countPending();
  }

  #countPending(): void {
    this.newCount.value = Array.from(this.#pending.keys()).filter((id) => this.#createdOrReopened.has(id)).length;
    this.updatedCount.value = this.#pending.size - this.newCount.value;
  }

  #setView(change: Partial<View>): void {
    const view = { ids: [], total: 0, pages: 1, ...this.view.value, ...change };
    const shown = new Set(view.ids);
    for (const id of this.rows.keys()) if (!shown.has(id)) this.rows.delete(id);
    this.view.value = view;
  }
}

function groupIdOf(event: LiveEvent): number {
  if ('group' in event) return event.group.error_group_id;
  return 'error_group_id' in event ? event.error_group_id : 0;
}
