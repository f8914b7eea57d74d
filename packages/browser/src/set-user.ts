import { share } from './client.ts';
import { guard } from './guard.ts';
import { warn } from './warn.ts';

/** Who sees the page: any id that means something to you, and nothing else. */
export interface User {
  id: string;
}

/** Tells who sees the page: `{ id }`, at most 200 characters; null for nobody. */
export const setUser = guard((user: User | null): void => share({ user: readUser(user) }));

export function readUser(user: User | null): User | null {
  const { id, ...more } = Object(user) as Partial<User>;
  if (Object.keys(more).length > 0) warn('12: setUser() takes { id } and nothing else');
  return id == null ? null : { id: (id + '').slice(0, 200) };
}
