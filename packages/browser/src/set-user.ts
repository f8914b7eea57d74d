import { guard } from './guard.ts';
import { updateScope } from './scope.ts';
import { warn } from './warn.ts';

/** The user of the page. The id is any string that identifies the user for you. Other keys are not accepted. */
export interface User {
  id: string;
}

/** Sets the user of every later report: `{ id }`, at most 200 characters; null removes the user. */
export const setUser = guard((user: User | null): void => updateScope({ user: normalizeUser(user) }));

/** Returns the id alone, as a string, or null without an id. Warns about other keys. */
export function normalizeUser(user: User | null): User | null {
  const { id, ...rest } = Object(user) as Partial<User>;
  if (Object.keys(rest).length > 0) warn('12: setUser() takes { id } only');
  return id == null ? null : { id: (id + '').slice(0, 200) };
}
