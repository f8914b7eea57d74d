import type { ErrorGroup, StreamEvent, Usage } from '@service/protocol';
import type { StreamedStore } from './streamed-store.ts';
import type { TestSink } from './test-sink.ts';

type Shown = Omit<ErrorGroup, 'trend'>;

/** The state of a client that loads the lists once and then follows a stream over connections that break. */
export class View {
  readonly groups = new Map<number, Shown>();
  readonly projects = new Map<number, string>();
  usage: Usage | null = null;
  resets = 0;
  readonly #env: StreamedStore;
  readonly #teamId: number;
  #stream: (TestSink & { cancel: () => void }) | null = null;
  #read = 0;
  #lastEventId: string | null = null;

  constructor(env: StreamedStore, teamId: number) {
    this.#env = env;
    this.#teamId = teamId;
  }

  /** Connects for the first time, or reconnects. */
  connect(): void {
    if (this.#stream) return;
    this.#stream = this.#env.subscribe({ teamId: this.#teamId, lastEventId: this.#lastEventId });
    this.#read = 0;
    if (this.#lastEventId === null) this.readLists();
    this.readUpTo(1);
  }

  /** Reads at most `blocks` blocks. Blocks that are not read are lost when the connection breaks. */
  readUpTo(blocks: number): void {
    for (const { id, data } of (this.#stream?.blocks ?? []).slice(this.#read, this.#read + blocks)) {
      this.#read++;
      if (id !== null) this.#lastEventId = id;
      if (data) this.#apply(data);
    }
    if (this.#stream?.isOver) this.disconnect();
  }

  disconnect(): void {
    this.#stream?.cancel();
    this.#stream = null;
  }

  readLists(): void {
    const { store, now } = this.#env.busy;
    const { model } = store;
    this.groups.clear();
    this.projects.clear();
    for (const project of model.tables.projects.values())
      if (project.team_id === this.#teamId) this.projects.set(project.id, project.name);
    for (const id of model.groups.ids()) {
      const { trend: _trend, ...shown } = model.groups.record(model.groups.slotOf(id), now);
      if (this.projects.has(shown.project_id)) this.groups.set(id, shown);
    }
    this.usage = this.#env.usageOf(this.#teamId);
  }

  #apply(event: StreamEvent): void {
    switch (event.type) {
      case 'reset':
        this.resets++;
        this.readLists();
        break;
      case 'usage.updated':
        this.usage = event.usage;
        break;
      case 'group.deleted':
        this.groups.delete(event.error_group_id);
        break;
      case 'group.merged': {
        const { trend: _trend, ...shown } = event.into;
        this.groups.delete(event.error_group_id);
        this.groups.set(shown.error_group_id, shown);
        break;
      }
      case 'project.created':
      case 'project.updated':
        this.projects.set(event.project_id, event.project.name);
        break;
      case 'project.deleted':
        this.projects.delete(event.project_id);
        for (const [id, group] of this.groups) if (group.project_id === event.project_id) this.groups.delete(id);
        break;
      case 'summary.updated':
        break;
      default: {
        const { trend: _trend, ...shown } = event.group;
        this.groups.set(shown.error_group_id, shown);
      }
    }
  }
}
