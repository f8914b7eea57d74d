import type { ErrorGroup } from '@service/protocol';

/** Returns whether an error or a message was reported, which only the level shows if no type was sent. */
export const kindOf = ({ type, level }: Pick<ErrorGroup, 'type' | 'level'>): 'Error' | 'Message' =>
  type || level === 'error' || level === 'fatal' ? 'Error' : 'Message';
