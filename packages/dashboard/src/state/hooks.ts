import {
  Component,
  // Its own name is taken, for each file is given it.
  Fragment as Several,
  options,
  type ComponentChildren,
  type ComponentClass,
  type FunctionComponent,
} from 'preact';

/** What a component remembers at one place of its function. */
interface Kept {
  deps?: readonly unknown[] | undefined;
  value?: unknown;
  end?: (() => void) | undefined;
}

/**
 * A function of ours, as Preact sees it. Those of `preact/hooks` do more, and wait with each effect for the next frame:
 * here a form has its fields, and a list asks for its rows, before anything is painted.
 */
abstract class Drawn extends Component<object> {
  readonly kept: Kept[] = [];
  readonly due: (() => void)[] = [];
  abstract draw: FunctionComponent<object>;

  override render(props: object): ComponentChildren {
    [drawn, place] = [this, 0];
    return this.draw(props);
  }

  override componentDidMount(): void {
    for (const run of this.due.splice(0)) run();
  }

  override componentDidUpdate(): void {
    this.componentDidMount();
  }

  override componentWillUnmount(): void {
    for (const { end } of this.kept) end?.();
  }
}

/** The component that is being drawn, and how many places of it have been passed. */
let drawn: Drawn;
let place = 0;

const classes = new WeakMap<object, ComponentClass>();

options.vnode = (vnode) => {
  const { type } = vnode;
  // A component that draws itself anew comes by here, too.
  if (typeof type !== 'function' || type === Several || type.prototype instanceof Drawn) return;
  const draw = type as FunctionComponent<object>;
  const made =
    classes.get(draw) ??
    class extends Drawn {
      draw = draw;
    };
  classes.set(draw, made);
  vnode.type = made;
};

/** Runs once it stands on the page, and again when one of `deps` has changed; what it resolves into ends it. */
export function useEffect(run: () => void | (() => void), deps?: readonly unknown[]): void {
  const kept = keep();
  if (isSame(kept, deps)) return;
  drawn.due.push(() => {
    kept.end?.();
    kept.end = run() ?? undefined;
  });
}

/** What was made first, or when one of `deps` changed last. */
export function useMemo<Value>(make: () => Value, deps: readonly unknown[]): Value {
  const kept = keep();
  if (!isSame(kept, deps)) kept.value = make();
  return kept.value as Value;
}

export const useRef = <Value>(current: Value): { current: Value } => useMemo(() => ({ current }), []);

/** Draws the component anew. */
export function useRedraw(): () => void {
  const self = drawn;
  return () => self.setState({});
}

const keep = (): Kept => (drawn.kept[place++] ??= {});

function isSame(kept: Kept, deps: readonly unknown[] | undefined): boolean {
  const before = kept.deps;
  kept.deps = deps;
  return !!before && !!deps && deps.every((value, index) => value === before[index]);
}
