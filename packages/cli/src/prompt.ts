import { createInterface } from 'node:readline';
import { CommandError } from './command-error.ts';

/** Asks on a terminal for a text that is not shown. Rejects with a CommandError if the user ends the input. */
export function askSecret(question: string): Promise<string> {
  const { stdin } = process;
  // Before the question, so that a text that is pasted early is not shown.
  stdin.setRawMode(true);
  process.stderr.write(question);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (): void => {
      stdin.setRawMode(false);
      stdin.removeListener('data', read);
      stdin.pause();
      process.stderr.write('\n');
    };
    const read = (text: string): void => {
      for (const character of text) {
        if (character === '\u0003' || character === '\u0004') {
          end();
          return reject(new CommandError('failed', 'Nothing was changed.'));
        }
        if (character === '\r' || character === '\n') {
          end();
          return resolve(typed);
        }
        typed = character === '\u007F' ? typed.slice(0, -1) : typed + character;
      }
    };
    stdin.on('data', read);
    stdin.resume();
  });
}

/**
 * Asks on a terminal for a confirmation; elsewhere `--yes` is required. Rejects with a CommandError if the user does
 * not confirm.
 */
export async function confirm(question: string, isConfirmed: boolean | undefined): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) throw new CommandError('usage', `${question} Confirm it with --yes.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    lines.question(`${question} [y/N] `, resolve);
    // Ctrl+C and the end of the input are no confirmation.
    lines.once('close', () => resolve(''));
  });
  lines.close();
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('failed', 'Nothing was changed.');
}
