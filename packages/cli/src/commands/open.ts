import type { CommandContext } from '../command.ts';
import { connect } from '../connect.ts';
import { openBrowser } from '../open-browser.ts';
import { readGroupId } from '../group-id.ts';

/** Opens the dashboard on a terminal, and prints its URL. */
export async function open(context: CommandContext): Promise<void> {
  const { output, operands } = context;
  const { endpoint } = await connect(context);
  const [group] = operands;
  const url = group === undefined ? `${endpoint}/` : `${endpoint}/groups/${readGroupId(group)}`;
  output.json({ url });
  output.line(url);
  if (process.stdout.isTTY) openBrowser(url);
}
