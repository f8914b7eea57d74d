import type { CommandContext } from '../command.ts';
import { connect } from '../connect.ts';
import { openBrowser } from '../open-browser.ts';
import { readGroupId } from '../group-id.ts';

/** Prints the URL of the dashboard or of an error group. On a terminal, also opens it in the browser. */
export async function open(context: CommandContext): Promise<void> {
  const { output, operands } = context;
  const { endpoint } = await connect(context);
  const [group] = operands;
  const url = group === undefined ? `${endpoint}/` : `${endpoint}/groups/${readGroupId(group)}`;
  output.json({ url });
  output.line(url);
  if (process.stdout.isTTY) openBrowser(url);
}
