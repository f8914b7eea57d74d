import { CommandError } from './command-error.ts';

/** Reads the id of a group: `7`, `#7`, or the address of its page. Throws a CommandError for any other text. */
export function readGroupId(text: string): number {
  const id = /^(?:https?:\/\/\S+\/groups\/|#)?([1-9]\d{0,14})(?:[/?#]\S*)?$/.exec(text)?.[1];
  if (id === undefined)
    throw new CommandError(
      'usage',
      'Expected the id of an error group, such as 7, or the address of its page, such as https://errors.example.com/groups/7',
    );
  return Number(id);
}
