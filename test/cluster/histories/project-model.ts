import type { SequentialModel } from './linearizability.ts';

/** A project with one bug, and a session of its owner, as one object. */
interface ProjectState {
  apiKey: string;
  count: number;
  status: 'active' | 'resolved';
  isSignedIn: boolean;
}

export type ProjectInput =
  | { call: 'report'; apiKey: string }
  | { call: 'read group' | 'resolve' | 'rotate' | 'read key' | 'use session' | 'sign out' };

export type ProjectOutput =
  | { isNew: boolean }
  | { count: number; status: string }
  | { apiKey: string }
  | 'rejected'
  | 'done'
  | 'missing';

/** An API key that no client knows: the response to its rotation was lost. */
const unknownKey = 'unknown';

/** Returns the model of a history that begins with this API key. `keys` are all keys that any client has seen. */
export function projectModel(
  apiKey: string,
  keys: readonly string[],
): SequentialModel<ProjectState, ProjectInput, ProjectOutput> {
  return {
    initial: { apiKey, count: 0, status: 'active', isSignedIn: true },
    apply(state, input, output) {
      return statesAfter(state, input, [...keys, unknownKey])
        .filter((after) => output === null || isEqual(after.output, output))
        .map(({ state: after }) => after);
    },
  };
}

interface After {
  state: ProjectState;
  output: ProjectOutput;
}

function statesAfter(state: ProjectState, input: ProjectInput, keys: readonly string[]): After[] {
  switch (input.call) {
    case 'report':
      if (input.apiKey !== state.apiKey) return [{ state, output: 'rejected' }];
      return [{ state: { ...state, count: state.count + 1, status: 'active' }, output: { isNew: state.count === 0 } }];
    case 'read group':
      return [{ state, output: state.count === 0 ? 'missing' : { count: state.count, status: state.status } }];
    case 'resolve':
      if (state.count === 0) return [{ state, output: 'missing' }];
      return [{ state: { ...state, status: 'resolved' }, output: 'done' }];
    case 'rotate':
      return keys
        .filter((key) => key !== state.apiKey)
        .map((key) => ({ state: { ...state, apiKey: key }, output: { apiKey: key } }));
    case 'read key':
      return [{ state, output: { apiKey: state.apiKey } }];
    case 'use session':
      return [{ state, output: state.isSignedIn ? 'done' : 'rejected' }];
    case 'sign out':
      if (state.isSignedIn) return [{ state: { ...state, isSignedIn: false }, output: 'done' }];
      // Of two calls at the same time, both may end the session.
      return [
        { state, output: 'done' },
        { state, output: 'rejected' },
      ];
  }
}

function isEqual(one: ProjectOutput, other: ProjectOutput): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
